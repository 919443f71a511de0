#!/usr/bin/env python3
"""Writes tests/data/text/sweep.json: what tokenizers makes of a letter, any code point and a letter.

    pip install tokenizers==0.23.3
    python scripts/unicode/make_sweep_digest.py             # writes the digests
    python scripts/unicode/make_sweep_digest.py --list DIR  # and DIR/<normalizer>.txt with every line

For each code point but the surrogates, "a", it and "b" go through BERT's normalizer and pre-tokenizer. A line has
the code point, then each piece and its offsets in code points. The lines of 4,096 code points make one FNV-1a
digest of 64 bits. tests/text/sweep_test.cpp does the same; with HEADLIGHT_SWEEP_LIST=DIR it writes the same
files, so that diff shows what differs.
"""

import argparse
import json
import pathlib

import tokenizers
from tokenizers import PreTokenizedString, normalizers, pre_tokenizers

OUTPUT = pathlib.Path(__file__).resolve().parents[2] / "tests/data/text/sweep.json"
BLOCK = 4096
NORMALIZERS = {
    "uncased": normalizers.BertNormalizer(lowercase=True),
    "cased": normalizers.BertNormalizer(lowercase=False),
}


def line(normalizer, pre_tokenizer, code_point):
    text = PreTokenizedString(f"a{chr(code_point)}b")
    text.normalize(normalizer.normalize)
    pre_tokenizer.pre_tokenize(text)
    pieces = text.get_splits(offset_referential="original", offset_type="char")
    return f"{code_point:X}" + "".join(f"\t{piece} {start} {end}" for piece, (start, end), _ in pieces) + "\n"


def fnv1a(data):
    digest = 0xCBF29CE484222325
    for byte in data:
        digest = (digest ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{digest:016x}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", type=pathlib.Path)
    folder = parser.parse_args().list
    result = {"tokenizers": tokenizers.__version__, "block": BLOCK, "digests": {}}
    pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    for name, normalizer in NORMALIZERS.items():
        blocks = []
        for start in range(0, 0x110000, BLOCK):
            lines = [line(normalizer, pre_tokenizer, c) for c in range(start, start + BLOCK) if not 0xD800 <= c < 0xE000]
            blocks.append("".join(lines).encode())
        result["digests"][name] = [fnv1a(block) for block in blocks]
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.txt").write_bytes(b"".join(blocks))
    OUTPUT.write_text(json.dumps(result, indent=0) + "\n")


if __name__ == "__main__":
    main()
