#!/usr/bin/env python3
"""Writes what each normalizer and pre-tokenizer of tokenizers makes of texts, for tests/text/parts_test.cpp.

    pip install tokenizers==0.23.3
    python scripts/unicode/make_part_cases.py                          # tests/data/text/parts.json, which is committed
    python scripts/unicode/make_part_cases.py --count 2000 --seed 7 -o /tmp/parts.json
    HEADLIGHT_PART_CASES=/tmp/parts.json build/debug/headlight_tests "[part-cases]"

The second form is a differential fuzz. A case of a normalizer is [text, normalized, spans], one span of the text for
each code point; of a pre-tokenizer [text, pieces, spans].
"""

import argparse
import base64
import json
import pathlib
import random
import struct

import tokenizers
from make_text_cases import FRAGMENTS, random_text
from tokenizers import Tokenizer

OUTPUT = pathlib.Path(__file__).resolve().parents[2] / "tests/data/text/parts.json"
CLUSTERS = "ab \u0301\u0323\u200d\xa9\u2122\u0915\u094d\u1100\u1161\u11a8\uac00\n\r'sStT1\u0600\u200c\ufe0f\xad\u200b\u3000"
RULES = {"a": "X", "ab": "never", "\ufb01": "fi", "\u3000": " ", "é": "e", "e\u0301": "é", "\u2122": "TM", "\xad": "", "\u200b": "", "\u0915": "ka", "\u1100\u1161": "\uac00",
         "\r\n": "\n", "\xa9": "(c)", "\u0301": "'", "½": "1/2", "字": "漢", "T": "t"}
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CL100K = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
O200K = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+"
         r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")


def charsmap(rules):
    """Rules as sentencepiece compiles them: size of the trie, double array, texts."""
    texts, units, used = b"", {0: 0}, {0}
    root = {}
    for key, text in rules.items():
        node = root
        for byte in key.encode():
            node = node.setdefault(byte, {})
        node[None] = len(texts)
        texts += text.encode() + b"\0"

    def place(position, node):
        labels = [0 if byte is None else byte for byte in node]
        base = next(b for b in range(1 << 16) if all(b ^ label not in used for label in labels))
        used.update(base ^ label for label in labels)
        units[position] |= (position ^ base) << 10 | (None in node) << 8
        for byte, child in node.items():
            if byte is None:
                units[base] = 1 << 31 | child
            else:
                units[base ^ byte] = byte
                place(base ^ byte, child)

    place(0, root)
    trie = b"".join(struct.pack("<I", units.get(i, 0)) for i in range((max(units) | 0xFF) + 1))  # whole blocks, as the library takes for granted
    return struct.pack("<I", len(trie)) + trie + texts


def part(type, **options):
    return {"type": type, **options}


def replace(pattern, content, kind="Regex"):
    return part("Replace", pattern={kind: pattern}, content=content)


def normalizers():
    together = lambda *parts: part("Sequence", normalizers=list(parts))
    strip = lambda left, right: part("Strip", strip_left=left, strip_right=right)
    precompiled = part("Precompiled", precompiled_charsmap=base64.b64encode(charsmap(RULES)).decode())
    simple = [part(name) for name in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "ByteLevel")]
    return simple + [
        strip(True, True), strip(False, True), strip(True, False), replace("a", "bcd", "String"), replace("  ", "", "String"), replace(" {2,}", " "), replace("x*", "-"),
        replace(r"(?<=a)b|\d", "\u2581\u2581"), part("Prepend", prepend="\u2581a"), precompiled, together(part("NFKD"), part("StripAccents"), part("Lowercase"), precompiled),
        together(part("Prepend", prepend="\u2581"), replace(" ", "\u2581", "String")), together(strip(True, True), precompiled, replace(" {2,}", " ")),
        together(part("Lowercase"), part("NFC"), part("ByteLevel")),
    ]


def pre_tokenizers(rng):
    behaviors = ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
    split = lambda pattern, behavior="Isolated", invert=False, kind="Regex": part("Split", pattern={kind: pattern}, behavior=behavior, invert=invert)
    together = lambda *parts: part("Sequence", pretokenizers=list(parts))
    patterns = [GPT2, CL100K, O200K, r"\w+|[^\w\s]+", r"\p{P}", r"[一-龥぀-ゟ゠-ヿ]+", r"\p{Han}|\p{Hiragana}+", r"\bb|a\B", r"^.|.$", "x*", r"\d{1,3}(?=(?:\d{3})*\b)", r"[^\W\d_]+?\s"]
    return [split(pattern) for pattern in patterns] + [split(" ", behavior, invert, "String") for behavior in behaviors for invert in (False, True)] + [
        split(rng.choice(patterns), behavior, True) for behavior in behaviors] + [part("Punctuation", behavior=behavior) for behavior in behaviors] + [
        part("Whitespace"), part("WhitespaceSplit"), part("Digits", individual_digits=True), part("Digits", individual_digits=False), part("CharDelimiterSplit", delimiter="a"),
        together(part("Punctuation", behavior="Contiguous"), part("WhitespaceSplit"), part("Digits", individual_digits=True)),
        together(split(CL100K), part("ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=False))]


def byte_tokenizer(**parts):
    """A tokenizer whose tokens are the bytes of the normalized text, so that its offsets show the alignment."""
    model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": True,
             "ignore_merges": False, "vocab": {f"<0x{i:02X}>": i for i in range(256)}, "merges": []}
    document = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None, "pre_tokenizer": None, "post_processor": None, "decoder": None}
    return Tokenizer.from_str(json.dumps({**document, "model": model, **parts}))


def normalized(tokenizer, text):
    result = tokenizer.normalizer.normalize_str(text)
    offsets, spans = iter(tokenizer.encode(text).offsets), []
    for c in result:
        spans.append([next(offsets) for _ in c.encode()][0])
    return [text, result, spans]


def pieces(tokenizer, text):
    found = tokenizer.pre_tokenizer.pre_tokenize_str(text)
    return [text, [piece for piece, _ in found], [span for _, span in found]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=6, help="random texts a part, beside the fragments")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=OUTPUT)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)

    def text():
        clusters = "".join(rng.choice(CLUSTERS) for _ in range(rng.randrange(12)))
        return rng.choice([random_text(rng), rng.choice(FRAGMENTS)[:40], ""]) + clusters

    content = {"tokenizers_version": tokenizers.__version__}
    for name, parts, ask in (("normalizer", normalizers(), normalized), ("pre_tokenizer", pre_tokenizers(rng), pieces)):
        content[name] = []
        for json_part in parts:
            tokenizer = byte_tokenizer(**{name: json_part})
            cases = [ask(tokenizer, given) for given in ["", *(text() for _ in range(arguments.count))]]
            content[name].append({"json": json_part, "cases": cases})
    arguments.output.write_text(json.dumps(content, separators=(",", ":")) + "\n")
    print(f"{sum(len(part['cases']) for name in ('normalizer', 'pre_tokenizer') for part in content[name])} cases, {arguments.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
