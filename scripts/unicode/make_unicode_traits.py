#!/usr/bin/env python3
"""Writes src/text/unicode_traits.inc: general categories and what else regular expressions, normalizers and
pre-tokenizers ask of code points.

    pip install tokenizers==0.23.3
    python scripts/unicode/make_unicode_traits.py

The library is asked for every code point, since its parts have different Unicode versions: general categories and \\w
of its regular expressions, the marks of StripAccents, the numbers of Digits, and the grapheme clusters of Precompiled.
"""

import collections
import pathlib
import struct

import tokenizers
from make_unicode_forms import varint
from make_unicode_tables import CODE_POINTS, array, ranges
from tokenizers import Regex, normalizers, pre_tokenizers

OUTPUT = pathlib.Path(__file__).resolve().parents[2] / "src/text/unicode_traits.inc"
ALL = "".join(map(chr, CODE_POINTS))
# The order of src/text/unicode_traits.h.
CATEGORIES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn".split()
CLUSTERS = "other control extend linker zwj spacing_mark prepend pictographic consonant".split()
SCRIPTS = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Latin", "Cyrillic", "Arabic"]


def dropped(normalizer):
    kept = set(normalizer.normalize_str("a" + ALL + "a"))
    return {c for c in CODE_POINTS if chr(c) not in kept}


def matched(pattern):
    return dropped(normalizers.Replace(Regex(pattern), ""))


def numbers():
    text = "".join(f"a{chr(c)}b" for c in CODE_POINTS)
    pieces = pre_tokenizers.Digits(individual_digits=True).pre_tokenize_str(text)
    return {CODE_POINTS[begin // 3] for _, (begin, end) in pieces if begin % 3 == 1 and end == begin + 1}


def cluster_counter():
    """Counts look-ups of Precompiled, one per grapheme cluster of less than 6 bytes and one per code point of others:
    its rules here make every lead byte an X and leave line feeds."""
    units = [0] * 512
    units[0] = 256 << 10
    for byte in [*range(1, 0x80), *range(0xC2, 0xF5)]:
        units[256 ^ byte] = byte | 1 << 8 | 256 << 10
        units[byte] = 1 << 31 | (2 if byte == 10 else 0)
    trie = struct.pack("<512I", *units)
    normalize = normalizers.Precompiled(struct.pack("<I", len(trie)) + trie + b"X\0\n\0").normalize_str

    def count(before, after):
        asked = [c for c in CODE_POINTS if c not in (0, 10, 13)]
        answers = normalize("".join(before + chr(c) + after + "\n" for c in asked)).split("\n")
        return dict(zip(asked, map(len, answers), strict=False))

    return count


def clusters():
    """What can be told of a code point from clusters of less than 6 bytes; nothing else matters to Precompiled."""
    count = cluster_counter()
    such = lambda before, after, number: {c for c, n in count(before, after).items() if n == number}
    extends = such("a", "", 1)
    with_pictograph = such("\xa9", "\u200d\xa9\u0301", 5)  # SpacingMark does not go between pictographs
    prepends = such("", "a", 1)
    controls = {c for c in such("", "\u0301", 2) if c < 0x10000} | {0, 10, 13}
    pictographs = such("\xa9\u200d", "", 3) - extends
    consonants = {c for c in such("", "\u094d\u0915\u0301", 4) if c >= 0x800} - extends
    linkers = such("\u0915", "\u0915\u0301", 4) & extends
    assert (such("\u0915", "\u094d\u0915\u0301", 5) & extends) - {0x200D} == (extends & with_pictograph) - {0x200C, 0x200D}
    result = {c: "other" for c in CODE_POINTS}
    result |= {c: "extend" if c in with_pictograph else "spacing_mark" for c in extends}
    for members, name in ((pictographs, "pictographic"), (consonants, "consonant"), (linkers, "linker"), (prepends, "prepend"), (controls, "control")):
        result |= dict.fromkeys(members, name)
    result[0x200D] = "zwj"
    return result


def main():
    category = {c: name for name in CATEGORIES if name != "Cs" for c in matched(rf"\p{{{name}}}")}
    assert set(category) == set(CODE_POINTS)
    of = lambda groups: {c for c in CODE_POINTS if category[c] in groups or category[c][0] in groups}
    word, mark, number, cluster = matched(r"\w"), dropped(normalizers.StripAccents()), numbers(), clusters()
    assert matched(r"\d") == of(["Nd"]) and matched(r"\p{L}") == of(["L"]) and matched(r"\p{P}") == of(["P"])
    traits = {c: (category[c], c in word, c in mark, c in number, cluster[c]) for c in CODE_POINTS}
    runs = []
    for c in range(0x110000):
        value = traits.get(c, ("Cs", False, False, False, "control"))
        if runs and runs[-1][0] == value:
            runs[-1][1] += 1
        else:
            runs.append([value, 1])
    kinds = [value for value, _ in collections.Counter(value for value, _ in runs).most_common()]
    assert len(kinds) < 128
    stream = b""
    for value, length in runs:
        index = kinds.index(value)
        stream += bytes([index]) if length == 1 else bytes([index | 128]) + varint(length)
    packed = [CATEGORIES.index(k[0]) | k[1] << 5 | k[2] << 6 | k[3] << 7 | CLUSTERS.index(k[4]) << 8 for k in kinds]

    script_bytes, sizes = [], []
    for name in SCRIPTS:
        encoded, end = b"", 0
        for first, last in ranges(dict.fromkeys(matched(rf"\p{{{name}}}")), lambda run, key: key == run[1] + 1):
            encoded += varint(first - end) + varint(last - first + 1)
            end = last + 1
        sizes.append(len(encoded))
        script_bytes += encoded
    OUTPUT.write_text("\n".join([
        f"// Generated by scripts/unicode/make_unicode_traits.py from tokenizers {tokenizers.__version__}. Do not edit.",
        "// clang-format off\n",
        "// Category, 1 << 5 word, 1 << 6 mark, 1 << 7 number, cluster << 8.",
        array("trait_kinds", packed),
        "// From U+0000 on: a kind's index; with 128 added, the length of its run follows.",
        array("trait_stream", list(stream), 48),
        "// The scripts' runs, gap and length, one script after the other.",
        "constexpr Script scripts[] = {" + ", ".join(f'{{"{name}", {size}}}' for name, size in zip(SCRIPTS, sizes, strict=True)) + "};",
        array("script_stream", script_bytes, 48),
        "// clang-format on\n",
    ]))
    print("bytes:", {"kinds": 2 * len(kinds), "runs": len(stream), "scripts": len(script_bytes)})


if __name__ == "__main__":
    main()
