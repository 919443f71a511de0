#!/usr/bin/env python3
"""Trains models/entities-medical: all-MiniLM-L6-v2 with a token classification head, diseases and chemicals.

    entities_medical.py BASE DATA OUT

BASE: a folder with the base model; DATA: a folder with ncbi/ and bc5cdr/, each with train.tsv and devel.tsv, as
MTL-Bioinformatics-2016 has them: a word, a tab and its tag a line, blank lines between sentences. OUT: the folder to
write, float16; then `headlight pack OUT -o models/entities-medical`. The last step is kept, nothing is selected on the test.
Needs torch, transformers and tokenizers; about half an hour on two cores.

Every piece of a word is trained on, those after the first as I-. NCBI-disease tags no chemicals, so that its O means "no
disease": there the loss takes the probabilities of O and of the chemicals together.
"""

import sys

import torch
from transformers import AutoTokenizer, BertForTokenClassification

import training

SEED, EPOCHS, BATCH, LEARNING_RATE, WARMUP, MAX_LENGTH = 1, 3, 32, 1e-4, 0.06, 128
LABELS = ["O", "B-Disease", "I-Disease", "B-Chemical", "I-Chemical"]
NOT_A_DISEASE = len(LABELS)  # O or a chemical
IGNORED = -100
NO_DISEASE_LABELS = [0, 3, 4]


def read(path):
    """(words, tags by IOB2) of each sentence."""
    sentences, open_sentence = [], []
    with open(path, encoding="utf-8") as file:
        for line in [*file, ""]:
            fields = line.split()
            if fields and fields[0] != "-DOCSTART-":
                open_sentence.append((fields[0], fields[-1]))
            elif open_sentence:
                words, tags = zip(*open_sentence)
                sentences.append((list(words), iob2(tags)))
                open_sentence = []
    return sentences


def iob2(tags):
    """Where an entity begins with I- by the scheme IOB1, with B-."""
    before = ["O", *tags]
    return [
        "B" + tag[1:] if tag[0] == "I" and before[i][2:] != tag[2:] else tag for i, tag in enumerate(tags)
    ]


def encode(tokenizer, sentence, outside):
    """(ids, a label a token) of a sentence; `outside` is the label of O."""
    words, tags = sentence
    encoding = tokenizer(words, is_split_into_words=True, truncation=True, max_length=MAX_LENGTH)
    labels, previous = [], None
    for word in encoding.word_ids():
        if word is None:
            labels.append(IGNORED)
        elif tags[word] == "O":
            labels.append(outside)
        else:
            labels.append(LABELS.index(tags[word] if word != previous else "I" + tags[word][1:]))
        previous = word
    return encoding["input_ids"], labels


def loss_of(model, pad_id, batch):
    rows, labels = zip(*batch)
    scores = model(**training.inputs_of(rows, pad_id)).logits.log_softmax(-1)
    not_a_disease = scores[..., NO_DISEASE_LABELS].logsumexp(-1, keepdim=True)
    scores = torch.cat([scores, not_a_disease], -1)
    return torch.nn.functional.nll_loss(
        scores.flatten(0, 1), training.pad(labels, IGNORED).flatten(), ignore_index=IGNORED
    )


def main(base, data, out):
    training.seed(SEED)
    tokenizer = AutoTokenizer.from_pretrained(base, model_max_length=512)
    model = BertForTokenClassification.from_pretrained(base, **training.label_config(LABELS))
    examples = [
        encode(tokenizer, sentence, outside)
        for corpus, outside in (("ncbi", NOT_A_DISEASE), ("bc5cdr", LABELS.index("O")))
        for part in ("train", "devel")
        for sentence in read(f"{data}/{corpus}/{part}.tsv")
    ]

    def loss(batch):
        return loss_of(model, tokenizer.pad_token_id, batch)

    training.train(model, examples, BATCH, loss, EPOCHS, LEARNING_RATE, WARMUP)
    training.save(model, tokenizer, out)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
