#!/usr/bin/env python3
"""Writes src/text/unicode_tables.inc from what Hugging Face's tokenizers do.

    pip install tokenizers==0.23.3
    python scripts/unicode/make_unicode_tables.py

Every property is probed: the library is given a letter, the code point and a letter, for all code points, and the
answer is what the table says. So the tables are of the Unicode versions that the library was built with, which
differ from part to part and from those of Python, of browsers and of the Unicode standard's newest files.
"""

import collections
import itertools
import pathlib
import unicodedata

import tokenizers
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers

OUTPUT = pathlib.Path(__file__).resolve().parents[2] / "src/text/unicode_tables.inc"
LONGEST = 126  # code points of a decomposition
IDEOGRAPHS = range(0x4E00, 0x4E00 + 0x8000)
CODE_POINTS = [c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]
HANGUL = range(0xAC00, 0xD7A4)

# Bits of a code point's properties; src/text/unicode.h has the same names.
REMOVED_BY_CLEAN_TEXT, WHITESPACE, PUNCTUATION, NONSPACING_MARK, WORD, CHINESE, LOWERCASE, DECOMPOSES = (1 << i for i in range(8))


def bert_normalizer(**only):
    options = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return normalizers.BertNormalizer(**{**options, **only}).normalize_str


def between_letters(function):
    """What a string function makes of a code point between two letters, as {code point: what it became}."""
    result = {}
    for c in CODE_POINTS:
        text = function(f"a{chr(c)}b")
        assert text[0] == "a" and text[-1] == "b", hex(c)
        result[c] = text[1:-1]
    return result


def probe_combining_classes(decompose):
    """Canonical combining classes, from the order into which the library brings two marks."""
    swaps = lambda first, second: first != second and decompose("a" + first + second) == "a" + second + first
    references = {}  # a mark of every class; old ones first, which the library knows for certain
    for version in (unicodedata.ucd_3_2_0, unicodedata):
        for c in map(chr, CODE_POINTS):
            combining_class = version.combining(c)
            if combining_class not in references and combining_class and (swaps(c, "\u0334") or swaps("\u0345", c)):
                references[combining_class] = c
    classes = sorted(references)
    assert all(swaps(references[b], references[a]) for a, b in zip(classes, classes[1:])), "unknown reference marks"
    lowest, highest = references[classes[0]], references[classes[-1]]
    result = {}
    for c in map(chr, CODE_POINTS):
        if decompose(c) == c and (swaps(c, lowest) or swaps(highest, c)):
            below = [k for k in classes if swaps(c, references[k])]
            equal_or_above = classes[len(below) :]
            assert not swaps(references[equal_or_above[0]], c), f"class of U+{ord(c):04X} has no reference"
            result[ord(c)] = equal_or_above[0]
    return result


def probe_word_characters():
    """Code points that forbid a single_word token beside them (the library's \\w)."""
    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0, "zq": 1}, unk_token="[UNK]"))
    tokenizer.add_tokens([AddedToken("zq", single_word=True, normalized=False)])
    return {c for c in CODE_POINTS if 1 not in tokenizer.encode("zq" + chr(c)).ids}


def probe():
    properties = dict.fromkeys(range(0x110000), 0)
    pre_tokenize = pre_tokenizers.BertPreTokenizer().pre_tokenize_str
    cleaned = between_letters(bert_normalizer(clean_text=True))
    chinese = between_letters(bert_normalizer(handle_chinese_chars=True))
    stripped = between_letters(bert_normalizer(strip_accents=True))
    lowered = between_letters(bert_normalizer(lowercase=True))
    decomposed = between_letters(normalizers.NFD().normalize_str)
    combining = probe_combining_classes(normalizers.NFD().normalize_str)
    words = probe_word_characters()
    for c in CODE_POINTS:
        char, bits = chr(c), 0
        pieces = [text for text, _ in pre_tokenize(f"a{char}b")]
        if pieces == ["a", "b"]:
            bits |= WHITESPACE
        elif pieces == ["a", char, "b"]:
            bits |= PUNCTUATION
        else:
            assert pieces == [f"a{char}b"], hex(c)
        if cleaned[c] == "":
            bits |= REMOVED_BY_CLEAN_TEXT
        else:
            assert cleaned[c] == (" " if bits & WHITESPACE else char), hex(c)
        if chinese[c] != char:
            assert chinese[c] == f" {char} ", hex(c)
            bits |= CHINESE
        if decomposed[c] == char and stripped[c] == "":
            bits |= NONSPACING_MARK
        if lowered[c] != char:
            bits |= LOWERCASE
        if c in words:
            bits |= WORD
        if decomposed[c] != char or c in combining:
            bits |= DECOMPOSES
        properties[c] = bits
    for c in CODE_POINTS:  # strip_accents is NFD without the marks, and nothing else
        expected = "".join(d for d in decomposed[c] if not properties[ord(d)] & NONSPACING_MARK)
        assert stripped[c] == expected, hex(c)
    for c in HANGUL:  # decomposed by arithmetic, src/text/unicode.cpp
        leading, vowel, trailing = (c - 0xAC00) // 588, (c - 0xAC00) % 588 // 28, (c - 0xAC00) % 28
        assert decomposed[c] == chr(0x1100 + leading) + chr(0x1161 + vowel) + (chr(0x11A7 + trailing) if trailing else "")
    # Surrogates never come out of UTF-8; as private use and unassigned, clean_text would remove them.
    for c in range(0xD800, 0xE000):
        properties[c] = REMOVED_BY_CLEAN_TEXT
    return properties, lowered, decomposed, combining


def varint(value):
    encoded = b""
    while value > 127:
        encoded += bytes([value & 127 | 128])
        value >>= 7
    return encoded + bytes([value])


def signed(value):
    """As a number for varint, the sign in the lowest bit."""
    return 2 * abs(value) + (value < 0)


def run_lengths(values):
    """(kinds, stream): for each run a kind's index; with 128 added, the length of the run follows."""
    runs = [(value, len(list(run))) for value, run in itertools.groupby(values)]
    kinds = [value for value, _ in collections.Counter(value for value, _ in runs).most_common()]
    assert len(kinds) < 128
    stream = b""
    for value, length in runs:
        index = kinds.index(value)
        stream += bytes([index]) if length == 1 else bytes([index | 128]) + varint(length)
    return kinds, stream


def range_stream(rows):
    """Of (first, last, value): the gap to the range before, the count and the value."""
    stream, end = b"", 0
    for first, last, value in rows:
        stream += varint(first - end) + varint(last - first + 1) + varint(signed(value))
        end = last + 1
    return stream


def decomposition_stream(table):
    """As src/text/decomposition_table.h has it, of code points and what they decompose into."""
    stream, end, target = b"", 0, None
    for first, last in ranges(table, lambda run, key: key == run[1] + 1):
        stream += varint(first - end) + varint(last - first + 1)
        end, c = last + 1, first
        while c <= last:
            following = 0
            while target is not None and c + following <= last and table[c + following] == chr(target + following + 1):
                following += 1
            if following > 0:
                stream += bytes([0]) + varint(following)
                c, target = c + following, target + following
                continue
            text = table[c]
            assert len(text) <= LONGEST
            if len(text) == 1 and ord(text) == target:
                stream += bytes([1])
            elif len(text) == 1 and ord(text) in IDEOGRAPHS:
                target = ord(text)
                stream += (target - IDEOGRAPHS[0] | 0x8000).to_bytes(2, "big")
            else:
                stream += bytes([len(text) + 1]) + text.encode()
                target = ord(text) if len(text) == 1 else target
            c += 1
    return stream


def width(values):
    return 1 if max(values) < 256 else 2


def ranges(mapping, continues):
    """Sorted keys of a mapping as [first, last] ranges in which each key continues the one before."""
    result = []
    for key in sorted(mapping):
        if result and continues(result[-1], key):
            result[-1][1] = key
        else:
            result.append([key, key])
    return result


def lowercase_ranges(lowered):
    """(first, last, distance): code points of the range that have a lower case have it at this distance."""
    result = []
    for c in sorted(lowered):
        if lowered[c] != chr(c) and len(lowered[c]) == 1:
            distance = ord(lowered[c]) - c
            if result and result[-1][2] == distance:
                result[-1][1] = c
            else:
                result.append([c, c, distance])
    return result


def array(name, values, per_line=32):
    lines = [", ".join(map(str, values[i : i + per_line])) for i in range(0, len(values), per_line)]
    return f"constexpr std::uint{8 * width(values)}_t {name}[] = {{\n    " + ",\n    ".join(lines) + "};\n"


def records(kind, name, rows):
    lines = ["{" + ", ".join([f"0x{row[0]:X}", *map(str, row[1:])]) + "}" for row in rows]
    lines = [", ".join(lines[i : i + 5]) for i in range(0, len(lines), 5)]
    return f"constexpr {kind} {name}[] = {{\n    " + ",\n    ".join(lines) + "};\n"


def main():
    properties, lowered, decomposed, combining = probe()
    kinds, property_stream = run_lengths([properties[c] for c in range(0x110000)])

    lower = range_stream(lowercase_ranges(lowered))
    assert [c for c, text in lowered.items() if len(text) > 1] == [0x130], "a lower case of several code points is new"

    decompositions = decomposition_stream({c: text for c, text in decomposed.items() if text != chr(c) and c not in HANGUL})

    marks = ranges(combining, lambda run, key: key == run[1] + 1 and combining[key] == combining[run[0]])
    marks = range_stream([(first, last, combining[first]) for first, last in marks])

    OUTPUT.write_text("\n".join([
        f"// Generated by scripts/unicode/make_unicode_tables.py from tokenizers {tokenizers.__version__}. Do not edit.",
        "// clang-format off\n",
        "// The bits of Property.",
        array("property_kinds", kinds),
        "// From U+0000 on: a kind's index; with 128 added, the length of its run follows.",
        array("property_stream", list(property_stream), 48),
        "// Gap, count, distance with its sign in the lowest bit: where code points that have a lower case have it.",
        array("lowercase_stream", list(lower), 48),
        "// The one code point whose lower case is two.",
        "constexpr char32_t long_lowercase = 0x130;",
        f"constexpr char32_t long_lowercase_text[] = {{{', '.join(hex(ord(c)) for c in lowered[0x130])}}};\n",
        "// The full canonical decompositions, as DecompositionTable reads them.",
        array("decomposition_stream", list(decompositions), 48),
        "// Gap, count, twice the canonical combining class; 0 elsewhere.",
        array("combining_stream", list(marks), 48),
        "// clang-format on\n",
    ]))
    print("bytes:", {"properties": len(kinds) + len(property_stream), "lower case": len(lower), "decompositions": len(decompositions),
                     "combining classes": len(marks)})


if __name__ == "__main__":
    main()
