#!/usr/bin/env python3
"""Trains models/sentiment-en: all-MiniLM-L6-v2 with a sequence classification head on SST-2.

    sentiment_en.py BASE DATA OUT

BASE: a folder with the base model; DATA: a folder with SST-2's train.tsv, dev.tsv (both trained on) and
test.tsv (GLUE's 872 development sentences), columns sentence and label. OUT: the folder to write, float16; then
`headlight pack OUT -o models/sentiment-en`. The last step is kept, nothing is selected on the test.
Needs torch, transformers and tokenizers; about an hour on two cores.
"""

import csv
import math
import random
import re
import sys

import torch
from transformers import AutoTokenizer, BertForSequenceClassification

SEED, EPOCHS, BATCH, LEARNING_RATE, WARMUP, WEIGHT_DECAY, MAX_LENGTH = 1, 3, 32, 5e-5, 0.06, 0.01, 64
LABELS = ["NEGATIVE", "POSITIVE"]


def read(path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    return [(natural(sentence), int(label)) for sentence, label in rows]


def natural(sentence):
    """Undoes the treebank's spacing where people write otherwise: "does n't", -LRB-."""
    sentence = re.sub("-LRB-", "(", re.sub("-RRB-", ")", sentence, flags=re.I), flags=re.I)
    return re.sub(r" n't\b", "n't", sentence).strip()


def batches(examples, tokenizer):
    """Shuffled batches of texts of like length."""
    random.shuffle(examples)
    group = BATCH * 50
    made = []
    for start in range(0, len(examples), group):
        part = sorted(examples[start : start + group], key=lambda example: len(example[0]))
        made += [part[i : i + BATCH] for i in range(0, len(part), BATCH)]
    random.shuffle(made)
    for batch in made:
        texts, labels = zip(*batch)
        inputs = tokenizer(list(texts), padding=True, truncation=True, max_length=MAX_LENGTH, return_tensors="pt")
        yield inputs, torch.tensor(labels)


def train(model, tokenizer, examples):
    steps = EPOCHS * math.ceil(len(examples) / BATCH)
    weights = [p for p in model.parameters() if p.ndim > 1]
    others = [p for p in model.parameters() if p.ndim <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": weights, "weight_decay": WEIGHT_DECAY}, {"params": others, "weight_decay": 0}],
        lr=LEARNING_RATE, eps=1e-6)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / (WARMUP * steps), max(0.0, (steps - step) / (steps * (1 - WARMUP)))))
    model.train()
    for epoch in range(EPOCHS):
        for inputs, labels in batches(examples, tokenizer):
            loss = model(**inputs, labels=labels).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
        print(f"epoch {epoch + 1} of {EPOCHS}: last loss {loss.item():.4f}", flush=True)


@torch.no_grad()
def accuracy(model, tokenizer, examples):
    model.eval()
    right = 0
    for text, label in examples:
        inputs = tokenizer(text, truncation=True, max_length=MAX_LENGTH, return_tensors="pt")
        right += int(model(**inputs).logits.argmax()) == label
    return right / len(examples)


def main(base, data, out):
    random.seed(SEED)
    torch.manual_seed(SEED)
    tokenizer = AutoTokenizer.from_pretrained(base, model_max_length=512)
    model = BertForSequenceClassification.from_pretrained(
        base, num_labels=2, id2label=dict(enumerate(LABELS)), label2id={label: i for i, label in enumerate(LABELS)})
    train(model, tokenizer, read(f"{data}/train.tsv") + read(f"{data}/dev.tsv"))
    print(f"accuracy {accuracy(model, tokenizer, read(f'{data}/test.tsv')):.4f}")
    model.half().save_pretrained(out)
    tokenizer.save_pretrained(out)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
