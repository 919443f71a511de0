#!/usr/bin/env python3
"""PyTorch's figures in float32 beside those of `headlight eval`: the same files, counts and masks (docs/cli.md).

    evaluate.py FOLDER FILE [MAX_LENGTH=128] [SEED=1]

FOLDER: the checkpoint before packing. Needs torch and transformers.
"""

import json
import sys
from collections import Counter
from pathlib import Path

import torch
from transformers import (
    AutoModelForMaskedLM,
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
    AutoTokenizer,
)

import training

BATCH = 32
MASKED_SHARE = 0.15


def read_table(path):
    header, *lines = Path(path).read_text(encoding="utf-8").splitlines()
    return [dict(zip(header.split("\t"), line.split("\t"))) for line in lines]


def read_sentences(path):
    blocks = Path(path).read_text(encoding="utf-8").split("\n\n")
    sentences = [[line.split("\t") for line in block.splitlines() if line.strip()] for block in blocks]
    return [list(zip(*sentence)) for sentence in sentences if sentence]


@torch.no_grad()
def logits(model, rows):
    """For each row of ids its logits; rows of like length share a batch."""
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    results = [None] * len(rows)
    for start in range(0, len(order), BATCH):
        part = order[start : start + BATCH]
        inputs = training.inputs_of([rows[i] for i in part], pad_id=0)
        for i, row in zip(part, model(**inputs).logits):
            results[i] = row[: len(rows[i])] if row.ndim == 2 else row
    return results


def evaluate_labels(model, tokenizer, path, max_length, _seed):
    rows = read_table(path)
    ids = [tokenizer(row["text"], truncation=True, max_length=max_length)["input_ids"] for row in rows]
    right, total = Counter(), Counter()
    for row, scores in zip(rows, logits(model, ids)):
        for name in filter(None, [row.get("source"), "all"]):
            total[name] += 1
            right[name] += model.config.id2label[int(scores.argmax())] == row["label"]
    for name in sorted(total, key="all".__eq__):
        print(f"{name}: {right[name]}/{total[name]} = {100 * right[name] / total[name]:.2f} %")


def entities_of(tags):
    """(type, first word, word after the last) of each entity; an I- that goes on with nothing is in none."""
    found, start = set(), None
    for i, tag in enumerate([*tags, "O"]):
        if start is not None and tag != "I" + tags[start][1:]:
            found.add((tags[start][2:], start, i))
            start = None
        if tag.startswith("B-"):
            start = i
    return found


def evaluate_entities(model, tokenizer, path, max_length, _seed):
    sentences = read_sentences(path)
    encodings = [
        tokenizer(list(words), is_split_into_words=True, truncation=True, max_length=max_length)
        for words, _ in sentences
    ]
    types = {tag[2:] for _, tags in sentences for tag in tags if tag != "O"}
    expected, found, correct = Counter(), Counter(), Counter()
    for (words, tags), encoding, scores in zip(
        sentences, encodings, logits(model, [encoding["input_ids"] for encoding in encodings])
    ):
        own = ["O"] * len(words)
        word_ids = encoding.word_ids()
        for i, word in enumerate(word_ids):
            if word is not None and word != word_ids[i - 1]:
                own[word] = model.config.id2label[int(scores[i].argmax())]
        truth = entities_of(tags)
        said = {entity for entity in entities_of(own) if entity[0] in types}
        for counter, entities in ((expected, truth), (found, said), (correct, truth & said)):
            counter.update(entity[0] for entity in entities)
            counter["all"] += len(entities)
    for name in [*sorted(types), "all"]:
        precision, recall = correct[name] / max(1, found[name]), correct[name] / max(1, expected[name])
        f1 = 2 * correct[name] / max(1, found[name] + expected[name])
        print(
            f"{name}: precision {100 * precision:.2f} %, recall {100 * recall:.2f} %, F1 {100 * f1:.2f} %, "
            f"{expected[name]} entities"
        )


def random_numbers(seed):
    """mulberry32, from 0 to 1."""
    mask = 2**32 - 1
    state = seed
    while True:
        state = (state + 0x6D2B79F5) & mask
        mixed = (state ^ (state >> 15)) * (state | 1) & mask
        mixed ^= (mixed + ((mixed ^ (mixed >> 7)) * (mixed | 61) & mask)) & mask
        yield (mixed ^ (mixed >> 14)) / 2**32


def evaluate_masks(model, tokenizer, path, max_length, seed):
    texts = read_table(path) if path.endswith(".tsv") else [
        {"text": line} for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    random = random_numbers(seed)
    rows, targets, sources = [], [], []
    for text in texts:
        encoding = tokenizer(text["text"], truncation=True, max_length=max_length)
        ids, words = list(encoding["input_ids"]), encoding.word_ids()
        tokens = Counter(words)
        masked = {}
        for i, word in enumerate(words):
            if word is None or tokens[word] > 1 or next(random) >= MASKED_SHARE:
                continue
            if ids[i] not in tokenizer.all_special_ids:
                masked[i], ids[i] = ids[i], tokenizer.mask_token_id
        if masked:
            rows.append(ids)
            targets.append(masked)
            sources.append(text.get("source"))
    masks, top1, top5 = Counter(), Counter(), Counter()
    for masked, source, scores in zip(targets, sources, logits(model, rows)):
        for i, target in masked.items():
            best = scores[i].topk(5).indices.tolist()
            for name in filter(None, [source, "all"]):
                masks[name] += 1
                top1[name] += best[0] == target
                top5[name] += target in best
    for name in sorted(masks, key="all".__eq__):
        print(
            f"{name}: top-1 {top1[name]}/{masks[name]} = {100 * top1[name] / masks[name]:.2f} %, "
            f"top-5 {top5[name]}/{masks[name]} = {100 * top5[name] / masks[name]:.2f} %"
        )


KINDS = {
    "ForSequenceClassification": (AutoModelForSequenceClassification, evaluate_labels),
    "ForTokenClassification": (AutoModelForTokenClassification, evaluate_entities),
    "ForMaskedLM": (AutoModelForMaskedLM, evaluate_masks),
}


def main(folder, path, max_length="128", seed="1"):
    [architecture] = json.loads(Path(folder, "config.json").read_text(encoding="utf-8"))["architectures"]
    model_class, evaluate = KINDS[architecture[architecture.index("For") :]]
    model = model_class.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    evaluate(model, AutoTokenizer.from_pretrained(folder), path, int(max_length), int(seed))


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
