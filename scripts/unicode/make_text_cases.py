#!/usr/bin/env python3
"""Writes texts and what tokenizers makes of them, for tests/text/text_cases_test.cpp.

    pip install tokenizers==0.23.3
    python scripts/unicode/make_text_cases.py                          # tests/data/text/cases.json, which is committed
    python scripts/unicode/make_text_cases.py --count 5000 --seed 7 -o /tmp/cases.json
    HEADLIGHT_TEXT_CASES=/tmp/cases.json build/debug/headlight_tests "[text-cases]"

The second form is a differential fuzz: random texts, options and tokenizers. A file holds one vocabulary, several
tokenizers over it (tokenizer.json without model.vocab) and the cases; a case is a tokenizer's name, the input, the
options and the encoding, its offsets in code points.
"""

import argparse
import json
import pathlib
import random
import unicodedata

import tokenizers
from tokenizers import Tokenizer

OUTPUT = pathlib.Path(__file__).resolve().parents[2] / "tests/data/text/cases.json"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

FRAGMENTS = [
    "", " ", "  ", "\t", "\n", "\r\n", "\xa0", "\u3000", "\u2028", "\u200b", "\u202f", "\x85", "\x00", "\x01\x07", "\x7f", "\ufeff",
    "\xad", "\u200d", "\ufffd", "\ue000", "\U000f0000", "\u0378", "\U000e0fff", "\uffff",
    "a", "B", "the film", "The FILM", "unbelievably", "don't", "I'll", "e.g.", "$42.50", "x" * 99, "x" * 100, "x" * 101, "字" * 40,
    "é", "e\u0301", "E\u0301\u0327", "a\u0327\u0301\u0323", "\u0301a", "\u0344", "\u0f73\u0301", "\u0301\u0f73b", "a\u0345\u0301", "ΐ", "\u1f82",
    "Å", "\u212b", "\u2126", "ﬁ", "ß", "ẞ", "İ", "Iıİi", "ΑΣ", "ΣΑΣ", "ǅ", "ñ", "Ñ", "Ł", "Đặng", "й Й ё", "\u0958", "क्षेत्र", "ค\u0e33\u0e49",
    "한국어", "\u1112\u1161\u11ab", "각", "超级差评\xa0\xa0上菜慢", "中English文", "𠀀𠀁", "㐀", "豈", "\u2f800", "\U0002f800", "\U0002b820", "々〇", "ひらがな", "が", "か\u3099",
    "😀", "a😀b", "👨\u200d👩\u200d👧", "🇩🇪", "👍🏽", "❤\ufe0f", "𝔘𝔫", "ｆｕｌｌ", "①½²", "…—“”«»", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "€£¥", "，。！？", "،؟", "।",
    "[MASK]", " [MASK] ", "a[MASK]b", "[SEP]", "[CLS]", "[PAD]", "[UNK]", "[mask]", "[MASK", "[[MASK]]", "##ing", "a##b",
    "<left>", " \t<left> ", "<right>", " <right>\xa0 ", "<both>", "  <both>  <both>  ", "whole", "wholes", "a whole b", "_whole", "whole\u0301", "éwhole", "-whole-",
    "Naïve", "NAIVE", "naïve", "nai\u0308ve", "[UPPER]", "[upper]", "new", "newer", "newest", "ne", "w", "🦊", "two words", "two  words", " spaced",
]
SCRIPTS = [
    (0x20, 0x7F), (0xA0, 0x250), (0x300, 0x370), (0x370, 0x530), (0x590, 0x700), (0x900, 0x980), (0xE00, 0xE80), (0xF00, 0xFC0), (0x1100, 0x1200),
    (0x1AB0, 0x1B00), (0x1D00, 0x1E00), (0x1E00, 0x2070), (0x20A0, 0x2190), (0x2460, 0x2600), (0x3000, 0x3100), (0x3400, 0x3500), (0x4E00, 0xA000),
    (0xAC00, 0xD7A4), (0xF900, 0xFB50), (0xFE00, 0x10000), (0x1D160, 0x1D1B0), (0x1D400, 0x1D800), (0x1F300, 0x1FB00), (0x20000, 0x20100), (0x2F800, 0x2FA20), (0, 0x110000),
]


def vocabulary():
    """Special tokens, letters of the fragments in all their forms, alone and continuing, and a few longer pieces."""
    letters = set()
    for form in (str, str.lower, lambda text: unicodedata.normalize("NFD", text), lambda text: unicodedata.normalize("NFD", text.lower())):
        letters.update(c for fragment in FRAGMENTS for c in form(fragment))
    letters = sorted(c for c in letters if not c.isspace() and unicodedata.category(c) not in ("Cc", "Co", "Cn"))
    longer = ["the", "film", "un", "##believ", "##ably", "##ing", "xx", "##xx", "##xxx", "na", "##ive", "na\u00efve", "new", "##er", "whole", "mask"]
    return SPECIAL + letters + ["##" + c for c in letters if c not in "😀豈"] + longer


def added_token(content, **flags):
    return {"content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False, **flags}


def definitions(vocab):
    """{name: (tokenizer.json, side of truncation and padding)}."""
    ids = {token: i for i, token in enumerate(vocab)}
    cls, sep = ["[CLS]", ids["[CLS]"]], ["[SEP]", ids["[SEP]"]]
    special = lambda token, type_id: {"SpecialToken": {"id": token, "type_id": type_id}}
    text = lambda name, type_id: {"Sequence": {"id": name, "type_id": type_id}}
    template = {
        "type": "TemplateProcessing",
        "single": [special("[CLS]", 0), text("A", 0), special("[SEP]", 0)],
        "pair": [special("[CLS]", 0), text("A", 0), special("[SEP]", 0), text("B", 1), special("[SEP]", 1)],
        "special_tokens": {token: {"id": token, "ids": [i], "tokens": [token]} for token, i in (cls, sep)},
    }
    bert = lambda **options: {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True, **options}
    specials = [added_token(token, special=True) for token in SPECIAL]
    flags = [
        added_token("<left>", lstrip=True), added_token("<right>", rstrip=True, special=True), added_token("<both>", lstrip=True, rstrip=True),
        added_token("whole", single_word=True), added_token("Naïve", normalized=True), added_token("[UPPER]"), added_token("new"), added_token("newest"),
        added_token("🦊", special=True), added_token("two words", normalized=True), added_token(" spaced", normalized=True, single_word=True),
    ]

    def tokenizer(normalizer, post_processor, added, pre_tokenizer={"type": "BertPreTokenizer"}, decoder={"type": "WordPiece", "prefix": "##", "cleanup": True}):
        added = [dict(token, id=ids.get(token["content"], len(vocab) + i)) for i, token in enumerate(added, -len(SPECIAL))]
        model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": ids}
        return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": normalizer, "pre_tokenizer": pre_tokenizer,
                "post_processor": post_processor, "decoder": decoder, "model": model}

    bert_processing = {"type": "BertProcessing", "sep": sep, "cls": cls}
    return {
        "uncased": (tokenizer(bert(), template, specials), "right"),
        "cased": (tokenizer(bert(lowercase=False), template, specials), "right"),
        "keep-accents": (tokenizer(bert(strip_accents=False), bert_processing, specials), "right"),
        "strip-only": (tokenizer(bert(clean_text=False, handle_chinese_chars=False, strip_accents=True, lowercase=False), bert_processing, specials,
                                 decoder={"type": "WordPiece", "prefix": "##", "cleanup": False}), "right"),
        "flags": (tokenizer(bert(), template, specials + flags), "right"),
        "flags-cased": (tokenizer(bert(lowercase=False, strip_accents=True), bert_processing, specials + flags), "right"),
        "left": (tokenizer(bert(), template, specials), "left"),
        "bare": (tokenizer(None, None, specials + flags, pre_tokenizer=None, decoder=None), "right"),
    }


def random_text(rng):
    parts = []
    for _ in range(rng.choice([1, 1, 2, 3, 5, 9])):
        if rng.random() < 0.75:
            parts.append(rng.choice(FRAGMENTS))
        else:
            low, high = rng.choice(SCRIPTS)
            parts.append("".join(chr(c) for c in (rng.randrange(low, high) for _ in range(rng.randrange(1, 8))) if not 0xD800 <= c < 0xE000))
        parts.append(rng.choice(["", "", " ", "  ", "\n", ", ", "\xa0", "-", "\u0301"]))
    return "".join(parts)


def random_options(rng, pair):
    options = {}
    if rng.random() < 0.15:
        options["add_special_tokens"] = False
    if rng.random() < 0.25:
        options["parse_special_tokens"] = False
    if rng.random() < 0.5:
        options["truncation"] = rng.choice(["longest_first", "longest_first", "only_first"] + ["only_second"] * pair)
        options["max_length"] = rng.randrange(3, 24)
        if rng.random() < 0.5:
            options["stride"] = rng.randrange(0, 6)
    if rng.random() < 0.2:
        options.setdefault("max_length", rng.randrange(3, 24))
        options["padding"] = "max_length"
    return options


def columns(encoding):
    result = {name: getattr(encoding, name) for name in ("ids", "tokens", "type_ids", "word_ids", "sequence_ids", "special_tokens_mask", "attention_mask")}
    # The library gives padding the sequence of the text where there is no post-processor.
    result["sequence_ids"] = [s if a else None for s, a in zip(result["sequence_ids"], result["attention_mask"])]
    return dict(result, offsets=[list(span) for span in encoding.offsets])


def encode(tokenizer, side, text, text_pair, options):
    """The case's result; None where the library refuses or panics."""
    tokenizer.no_truncation()
    tokenizer.no_padding()
    room = options.get("max_length", 99) - tokenizer.num_special_tokens_to_add(text_pair is not None) * options.get("add_special_tokens", True)
    if options.get("stride", 0) >= max(room, 1):  # where nothing is cut the library does not mind
        return None
    tokenizer.encode_special_tokens = not options.get("parse_special_tokens", True)
    try:
        if "truncation" in options:
            tokenizer.enable_truncation(options["max_length"], stride=options.get("stride", 0), strategy=options["truncation"], direction=side)
        if "padding" in options:
            tokenizer.enable_padding(length=options["max_length"], pad_id=0, pad_token="[PAD]", direction=side)
        encoding = tokenizer.encode(text, text_pair, add_special_tokens=options.get("add_special_tokens", True))
    except BaseException as error:  # a panic of the library is no Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        return None
    windows = [columns(window) for window in encoding.overflowing]
    if tokenizer.post_processor is None:  # the library forgets in its windows which text is which
        for window in windows:
            del window["sequence_ids"]
    return dict(columns(encoding), overflow=windows,
                decoded=tokenizer.decode(encoding.ids, skip_special_tokens=True), decoded_all=tokenizer.decode(encoding.ids, skip_special_tokens=False))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=150, help="random cases, beside the fragments")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=OUTPUT)
    arguments = parser.parse_args()

    rng = random.Random(arguments.seed)
    vocab = vocabulary()
    defined = definitions(vocab)
    loaded = {name: Tokenizer.from_str(json.dumps(document)) for name, (document, _) in defined.items()}
    wanted = [(["uncased", "cased", "flags"][i % 3], fragment, None, {}) for i, fragment in enumerate(FRAGMENTS)]
    for _ in range(arguments.count):
        text_pair = random_text(rng) if rng.random() < 0.4 else None
        wanted.append((rng.choice(list(defined)), random_text(rng), text_pair, random_options(rng, text_pair is not None)))

    cases, refused = [], 0
    for name, text, text_pair, options in wanted:
        result = encode(loaded[name], defined[name][1], text, text_pair, options)
        if result is None or len(result["overflow"]) > 60:
            refused += 1
            continue
        cases.append({"tokenizer": name, "text": text, "text_pair": text_pair, "options": options, "result": result})
    for document, _ in defined.values():
        del document["model"]["vocab"]
    content = {"tokenizers_version": tokenizers.__version__, "vocab": vocab, "cases": cases,
               "tokenizers": {name: {"side": side, "json": document} for name, (document, side) in defined.items()}}
    arguments.output.write_text(json.dumps(content, separators=(",", ":")) + "\n")
    print(f"{len(cases)} cases, {refused} left out, {arguments.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
