#!/usr/bin/env python3
"""Writes texts and what tokenizers makes of them with BPE, Unigram and WordLevel, for tests/text/text_cases_test.cpp.

    pip install tokenizers==0.23.3
    python scripts/unicode/make_model_cases.py                          # tests/data/text/model_cases.json, which is committed
    python scripts/unicode/make_model_cases.py --count 5000 --seed 7 -o /tmp/cases.json
    HEADLIGHT_TEXT_CASES=/tmp/cases.json build/debug/headlight_tests "[text-cases]"

Texts, options and the file's form are make_text_cases.py's, but each tokenizer has its own vocabulary. Vocabularies
are small, scores are few, so that many ways to cut a text are equally good.
"""

import argparse
import collections
import json
import pathlib
import random

import tokenizers
from make_text_cases import FRAGMENTS, SPECIAL, added_token, encode, random_options, random_text
from tokenizers import Tokenizer, pre_tokenizers

OUTPUT = pathlib.Path(__file__).resolve().parents[2] / "tests/data/text/model_cases.json"
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
MARK = "\u2581"


def words(pre_tokenizer, texts):
    for text in texts:
        yield from (word for word, _ in pre_tokenizer.pre_tokenize_str(text))


def pair_merges(pieces, count):
    """The most frequent pairs of neighbours, merged again and again."""
    lists, merges = [list(piece) for piece in pieces], []
    for _ in range(count):
        pairs = collections.Counter(pair for piece in lists for pair in zip(piece, piece[1:]))
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        for piece in lists:
            i = 0
            while i + 1 < len(piece):
                if (piece[i], piece[i + 1]) == best:
                    piece[i : i + 2] = ["".join(best)]
                i += 1
    return merges


def ids_of(tokens):
    return {token: i for i, token in enumerate(dict.fromkeys(tokens))}


def bpe(letters, merges, prefix="", suffix="", extra=(), pairs=False, **options):
    """A BPE model; letters and merges without prefix and suffix, which each of them gets in every place."""
    if prefix or suffix:
        forms = lambda text: [text, prefix + text, text + suffix, prefix + text + suffix]
        letters = [form for letter in letters for form in forms(letter)]
        merges = [m for a, b in merges for m in ((a, prefix + b), (prefix + a, prefix + b), (a, prefix + b + suffix), (prefix + a, prefix + b + suffix))]
    join = lambda a, b: a + b[len(prefix) :]
    vocab = ids_of([*SPECIAL, *extra, *letters, *(join(a, b) for a, b in merges)])
    known = [(a, b) for a, b in merges if a in vocab and b in vocab]
    return {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": prefix or None, "end_of_word_suffix": suffix or None, "fuse_unk": False,
            "byte_fallback": False, "ignore_merges": False, **options, "vocab": vocab, "merges": [list(m) for m in known] if pairs else [" ".join(m) for m in known]}


def unigram(pieces, rng, extra=(), **options):
    scores = [-1.0, -2.0, -2.5, -3.0, -4.0, -7.25]
    vocab = [[token, 0.0] for token in SPECIAL + list(extra)] + [[piece, rng.choice(scores) * len(piece) if rng.random() < 0.3 else rng.choice(scores)] for piece in pieces]
    return {"type": "Unigram", "unk_id": 1, "byte_fallback": False, **options, "vocab": vocab}


def definitions(rng):
    """{name: (tokenizer.json, side of truncation and padding)}."""
    texts = FRAGMENTS + [random_text(rng) for _ in range(60)]
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    byte_words = list(words(pre_tokenizers.ByteLevel(add_prefix_space=True), texts))
    byte_merges = pair_merges(byte_words, 160)
    plain_words = [word for word in words(pre_tokenizers.BertPreTokenizer(), texts) if len(word) < 30]
    counts = collections.Counter(c for word in plain_words for c in word)
    letters = sorted(c for c, n in counts.items() if n > 1 or c.isascii())[:150]
    marked = [MARK + word for word in plain_words]
    merges = pair_merges(plain_words, 60)
    parts = collections.Counter(word[i : i + n] for word in marked for n in range(1, 6) for i in range(len(word)) if i + n <= len(word))
    pieces = sorted(p for p, n in parts.items() if n > 3 and (len(p) > 1 or p.isascii() or rng.random() < 0.6)) + [MARK, "<left", "xxxxxxxxxxxxxxxx"]
    pieces = list(dict.fromkeys(pieces))[:300]
    ids = {token: i for i, token in enumerate(SPECIAL)}

    special = lambda token, type_id: {"SpecialToken": {"id": token, "type_id": type_id}}
    text = lambda name, type_id: {"Sequence": {"id": name, "type_id": type_id}}
    template = {
        "type": "TemplateProcessing",
        "single": [special("[CLS]", 0), text("A", 0), special("[SEP]", 0)],
        "pair": [special("[CLS]", 0), text("A", 0), special("[SEP]", 0), text("B", 1), special("[SEP]", 1)],
        "special_tokens": {token: {"id": token, "ids": [ids[token]], "tokens": [token]} for token in ("[CLS]", "[SEP]")},
    }
    roberta = lambda trim, prefix: {"type": "RobertaProcessing", "sep": ["[SEP]", ids["[SEP]"]], "cls": ["[CLS]", ids["[CLS]"]], "trim_offsets": trim, "add_prefix_space": prefix}
    byte_level = lambda prefix=False, trim=True, regex=True: {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": trim, "use_regex": regex}
    metaspace = lambda scheme="always", split=True: {"type": "Metaspace", "replacement": MARK, "prepend_scheme": scheme, "split": split}
    bert = {"type": "BertPreTokenizer"}
    lowercase = {"type": "BertNormalizer", "clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": True}
    specials = [added_token(token, special=True, lstrip=token == "[MASK]") for token in SPECIAL]
    flags = [
        added_token("<left>", lstrip=True), added_token("<right>", rstrip=True, special=True), added_token("<both>", lstrip=True, rstrip=True, single_word=True),
        added_token("whole", single_word=True), added_token("Na\u00efve", normalized=True, rstrip=True), added_token("new", lstrip=True), added_token("newest"),
        added_token("\U0001f98a", special=True), added_token(" spaced", normalized=True, single_word=True),
    ]

    def tokenizer(model, pre_tokenizer, post_processor, decoder, added=specials, normalizer=None):
        size = len(model["vocab"])
        known = {token: i for i, token in enumerate(model["vocab"])} if isinstance(model["vocab"], dict) else {token: i for i, (token, _) in enumerate(model["vocab"])}
        entries = []
        for token in added:
            if token["content"] not in known:
                known[token["content"]], size = size, size + 1
            entries.append({"id": known[token["content"]], **token})
        return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": entries, "normalizer": normalizer, "pre_tokenizer": pre_tokenizer,
                "post_processor": post_processor, "decoder": decoder, "model": model}

    byte_bpe = lambda **options: bpe(alphabet, byte_merges, **options)
    result = {
        "roberta": tokenizer(byte_bpe(), byte_level(True), roberta(True, True), byte_level(), specials + flags),
        "roberta-plain": tokenizer(byte_bpe(pairs=True), byte_level(), roberta(True, False), byte_level()),
        "untrimmed": tokenizer(byte_bpe(ignore_merges=True), byte_level(True), roberta(False, True), byte_level(), specials + flags, lowercase),
        "template": tokenizer(byte_bpe(), byte_level(), template, byte_level()),
        "gpt2": tokenizer(byte_bpe(), byte_level(True), byte_level(True), byte_level()),
        "no-regex": tokenizer(byte_bpe(), byte_level(True, True, False), byte_level(False), None),
        "bpe-unknown": tokenizer(bpe(letters, merges, prefix="##", unk_token="[UNK]"), bert, template, {"type": "WordPiece", "prefix": "##", "cleanup": True}, specials + flags),
        "bpe-fused": tokenizer(bpe(letters, merges, suffix="</w>", unk_token="[UNK]", fuse_unk=True), bert, roberta(True, True), None),
        "bpe-silent": tokenizer(bpe(letters, merges), bert, template, None),
        "bpe-bytes": tokenizer(bpe([MARK] + letters, merges, extra=BYTES, byte_fallback=True), metaspace("first"), template, {"type": "ByteFallback"}),
        "bpe-some-bytes": tokenizer(bpe([MARK] + letters, merges, extra=BYTES[:0xC8], byte_fallback=True, unk_token="[UNK]", fuse_unk=True), metaspace(), template, metaspace()),
        "unigram": tokenizer(unigram(pieces, rng), metaspace(), template, metaspace(), specials + flags),
        "unigram-first": tokenizer(unigram(pieces, rng), metaspace("first", False), roberta(True, True), metaspace("first"), specials + flags, lowercase),
        "unigram-never": tokenizer(unigram(pieces + pieces[:40], rng), metaspace("never"), template, metaspace("never")),
        "unigram-bytes": tokenizer(unigram(pieces, rng, extra=BYTES, byte_fallback=True), metaspace(), roberta(False, False), {"type": "ByteFallback"}),
        "unigram-some-bytes": tokenizer(unigram(pieces, rng, extra=BYTES[:0xE3], byte_fallback=True), metaspace(split=False), template, metaspace()),
        "unigram-bare": tokenizer(unigram(pieces + ["\u0301b", "\u5b57\u5b57"], rng), None, None, None),
        "word-level": tokenizer({"type": "WordLevel", "unk_token": "[UNK]", "vocab": ids_of(SPECIAL + sorted(set(plain_words))[::2])}, bert, template, None, specials + flags),
    }
    return {name: (document, "left" if name in ("gpt2", "unigram-never") else "right") for name, document in result.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=240, help="random cases")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=OUTPUT)
    arguments = parser.parse_args()

    rng = random.Random(arguments.seed)
    defined = definitions(rng)
    loaded = {name: Tokenizer.from_str(json.dumps(document)) for name, (document, _) in defined.items()}
    cases, refused = [], 0
    names = list(defined)
    for i in range(arguments.count):
        name, text_pair = names[i % len(names)], random_text(rng) if rng.random() < 0.3 else None
        text, options = random_text(rng), random_options(rng, text_pair is not None)
        if options.get("max_length", 99) < loaded[name].num_special_tokens_to_add(text_pair is not None):
            continue
        result = encode(loaded[name], defined[name][1], text, text_pair, options)
        if result is None or len(result["overflow"]) > 8:
            refused += 1
            continue
        if (defined[name][0]["post_processor"] or {}).get("type") == "RobertaProcessing" and "add_special_tokens" in options:
            for window in result["overflow"]:  # the library gives type 0 to the encoding, but forgets its windows
                del window["type_ids"]
        cases.append({"tokenizer": name, "text": text, "text_pair": text_pair, "options": options, "result": result})
    content = {"tokenizers_version": tokenizers.__version__, "vocab": [], "cases": cases,
               "tokenizers": {name: {"side": side, "json": document} for name, (document, side) in defined.items()}}
    arguments.output.write_text(json.dumps(content, separators=(",", ":")) + "\n")
    print(f"{len(cases)} cases, {refused} left out, {arguments.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
