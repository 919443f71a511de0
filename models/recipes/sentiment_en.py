#!/usr/bin/env python3
"""Trains models/sentiment-en: all-MiniLM-L6-v2 with a sequence classification head on SST-2.

    sentiment_en.py BASE DATA OUT

BASE: a folder with the base model; DATA: a folder with SST-2's train.tsv, dev.tsv (both trained on) and
test.tsv (GLUE's 872 development sentences), columns sentence and label. OUT: the folder to write, float16; then
`headlight pack OUT -o models/sentiment-en`. The last step is kept, nothing is selected on the test.
Needs torch, transformers and tokenizers; about an hour on two cores.
"""

import csv
import re
import sys

import torch
from transformers import AutoTokenizer, BertForSequenceClassification

import training

SEED, EPOCHS, BATCH, LEARNING_RATE, WARMUP, MAX_LENGTH = 1, 3, 32, 5e-5, 0.06, 64
LABELS = ["NEGATIVE", "POSITIVE"]


def read(path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    return [(natural(sentence), int(label)) for sentence, label in rows]


def natural(sentence):
    """Undoes the treebank's spacing where people write otherwise: "does n't", -LRB-."""
    sentence = re.sub("-LRB-", "(", re.sub("-RRB-", ")", sentence, flags=re.I), flags=re.I)
    return re.sub(r" n't\b", "n't", sentence).strip()


@torch.no_grad()
def accuracy(model, tokenizer, examples):
    right = 0
    for text, label in examples:
        inputs = tokenizer(text, truncation=True, max_length=MAX_LENGTH, return_tensors="pt")
        right += int(model(**inputs).logits.argmax()) == label
    return right / len(examples)


def main(base, data, out):
    training.seed(SEED)
    tokenizer = AutoTokenizer.from_pretrained(base, model_max_length=512)
    model = BertForSequenceClassification.from_pretrained(base, **training.label_config(LABELS))
    examples = read(f"{data}/train.tsv") + read(f"{data}/dev.tsv")

    def loss_of(batch):
        texts, labels = zip(*batch)
        inputs = tokenizer(list(texts), padding=True, truncation=True, max_length=MAX_LENGTH, return_tensors="pt")
        return model(**inputs, labels=torch.tensor(labels)).loss

    training.train(model, examples, BATCH, loss_of, EPOCHS, LEARNING_RATE, WARMUP)
    print(f"accuracy {accuracy(model, tokenizer, read(f'{data}/test.tsv')):.4f}")
    training.save(model, tokenizer, out)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
