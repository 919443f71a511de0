#!/usr/bin/env python3
"""Trains models/fill-mask-zh: the lowest 6 layers of multilingual-e5-small, a vocabulary of characters and a masked language
modelling head, on the text of Chinese reviews, for a fixed time.

    fill_mask_zh.py BASE DATA OUT [MINUTES=10]

BASE, DATA, OUT as for sentiment_zh.py; vocabulary and split are the same. Of the characters 15 % are asked for: 80 % of
these are masked, 10 % replaced by another, 10 % kept. Needs torch, transformers and tokenizers. How far ten minutes go
depends on the machine: the model that is packed here had 945 steps of 32 texts.
"""

import sys
import time

import torch
from transformers import BertForMaskedLM

import training
import zh_reviews

BATCH, LEARNING_RATE, WARMUP_STEPS, MAX_LENGTH = 32, 3e-4, 60, 64
ASKED, MASKED, REPLACED = 0.15, 0.8, 0.1
FIRST_WORD = len(zh_reviews.SPECIAL)  # ids before it are special tokens


def mask(ids, mask_id, vocabulary_size):
    """ids [texts, tokens] -> (the same with masks, which tokens are asked for)"""
    asked = (torch.rand(ids.shape) < ASKED) & (ids >= FIRST_WORD)
    lot = torch.rand(ids.shape)
    others = torch.randint(FIRST_WORD, vocabulary_size, ids.shape)
    masked = ids.masked_fill(asked & (lot < MASKED), mask_id)
    return torch.where(asked & (lot >= 1 - REPLACED), others, masked), asked


def loss_of(model, tokenizer, rows):
    inputs = training.inputs_of(rows, tokenizer.pad_token_id)
    ids = inputs["input_ids"]
    inputs["input_ids"], asked = mask(ids, tokenizer.mask_token_id, model.config.vocab_size)
    states = model.bert(**inputs).last_hidden_state[asked]  # the head is large: only where it is asked
    return torch.nn.functional.cross_entropy(model.cls(states), ids[asked])


def main(base, data, out, minutes="10"):
    training.seed(zh_reviews.SEED)
    splits = zh_reviews.read(data)
    reviews, shop = zh_reviews.training_reviews(splits)
    model, tokenizer = zh_reviews.make_model(BertForMaskedLM, base, [text for text, _ in reviews])
    texts = [text for text, _ in splits["waimai"].train + splits["hotel"].train + shop]
    rows = [zh_reviews.encode(tokenizer, text, MAX_LENGTH) for text in texts]
    optimizer = training.adamw(model, LEARNING_RATE)
    model.train()
    start, step, spent = time.monotonic(), 0, 0.0
    while spent < 1:
        for batch in training.batches(rows, BATCH, length=len):
            spent = (time.monotonic() - start) / (60 * float(minutes))
            if spent >= 1:
                break
            step += 1
            for group in optimizer.param_groups:
                group["lr"] = LEARNING_RATE * min(step / WARMUP_STEPS, max(0.02, 1 - spent))
            loss = loss_of(model, tokenizer, batch)
            training.update(model, optimizer, loss)
            if step % 100 == 0:
                print(f"step {step}: loss {loss.item():.4f}", flush=True)
    training.save(model.eval(), tokenizer, out)


if __name__ == "__main__":
    if not 4 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
