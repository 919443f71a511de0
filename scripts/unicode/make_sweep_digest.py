#!/usr/bin/env python3
"""Writes tests/data/text/sweep.json: what tokenizers makes of a letter, any code point and a letter.

    pip install tokenizers==0.23.3
    python scripts/unicode/make_sweep_digest.py             # writes the digests
    python scripts/unicode/make_sweep_digest.py --list DIR  # and DIR/<normalizer>.txt with every line

For each code point but the surrogates, "a", it and "b" go through BERT's normalizer and pre-tokenizer. A line has
the code point, then each piece and its offsets in code points. The lines of 4,096 code points make one FNV-1a
digest of 64 bits. The same is done with whole tokenizers that are made here, one of byte-level BPE and one of Unigram
with marks for spaces: there the lines have tokens. tests/text/sweep_test.cpp does the same; with HEADLIGHT_SWEEP_LIST=DIR it writes the same
files, so that diff shows what differs.
"""

import argparse
import functools
import json
import pathlib

import tokenizers
from tokenizers import PreTokenizedString, Tokenizer, normalizers, pre_tokenizers

OUTPUT = pathlib.Path(__file__).resolve().parents[2] / "tests/data/text/sweep.json"
BLOCK = 4096
NORMALIZERS = {
    "uncased": normalizers.BertNormalizer(lowercase=True),
    "cased": normalizers.BertNormalizer(lowercase=False),
}


def tiny_tokenizers():
    """{name: tokenizer.json} of vocabularies that know little more than the letters around the code point."""
    whole = lambda **parts: {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None, "post_processor": None, "decoder": None, **parts}
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    bpe = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
           "vocab": {token: i for i, token in enumerate(letters + ["\u00c3\u0142", "\u00e2\u0122"])}, "merges": ["\u00c3 \u0142", "\u00e2 \u0122"]}
    unigram = {"type": "Unigram", "unk_id": 0, "byte_fallback": False, "vocab": [["<unk>", 0.0], ["\u2581", -2.0], ["\u2581a", -3.0], ["a", -4.0], ["b", -3.0], ["\u2581b", -5.5], ["1", -3.0]]}
    return {
        "byte-level": whole(model=bpe, pre_tokenizer={"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
                            post_processor={"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}),
        "unigram": whole(model=unigram, normalizer={"type": "NFKC"}, pre_tokenizer={"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}),
    }


def token_line(tokenizer, code_point):
    encoding = tokenizer.encode(f"a{chr(code_point)}b")
    return f"{code_point:X}" + "".join(f"\t{token} {start} {end}" for token, (start, end) in zip(encoding.tokens, encoding.offsets)) + "\n"


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
    documents = tiny_tokenizers()
    result = {"tokenizers": tokenizers.__version__, "block": BLOCK, "documents": documents, "digests": {}}
    pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    lines = {name: functools.partial(line, normalizer, pre_tokenizer) for name, normalizer in NORMALIZERS.items()}
    lines |= {name: functools.partial(token_line, Tokenizer.from_str(json.dumps(document))) for name, document in documents.items()}
    for name, line_of in lines.items():
        blocks = []
        for start in range(0, 0x110000, BLOCK):
            blocks.append("".join(line_of(c) for c in range(start, start + BLOCK) if not 0xD800 <= c < 0xE000).encode())
        result["digests"][name] = [fnv1a(block) for block in blocks]
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.txt").write_bytes(b"".join(blocks))
    OUTPUT.write_text(json.dumps(result, indent=0) + "\n")


if __name__ == "__main__":
    main()
