"""What the recipes share: batches of like length, the optimiser and its schedule, the folder that is written."""

import random

import torch

WEIGHT_DECAY = 0.01


def seed(number):
    random.seed(number)
    torch.manual_seed(number)


def batches(examples, size, length):
    """Shuffled batches of `size` examples whose length(example) is alike."""
    examples = random.sample(examples, len(examples))
    group = size * 50
    made = []
    for start in range(0, len(examples), group):
        part = sorted(examples[start : start + group], key=length)
        made += [part[i : i + size] for i in range(0, len(part), size)]
    random.shuffle(made)
    return made


def pad(rows, value):
    """Lists of numbers as a tensor [rows, longest]."""
    longest = max(map(len, rows))
    return torch.tensor([row + [value] * (longest - len(row)) for row in rows])


def inputs_of(rows, pad_id):
    """Lists of ids as what a model is called with."""
    return {"input_ids": pad(rows, pad_id), "attention_mask": pad([[1] * len(row) for row in rows], 0)}


def adamw(model, learning_rate):
    """AdamW without decay of biases and of what normalises."""
    return torch.optim.AdamW(
        [
            {"params": [p for p in model.parameters() if p.ndim > 1], "weight_decay": WEIGHT_DECAY},
            {"params": [p for p in model.parameters() if p.ndim <= 1], "weight_decay": 0},
        ],
        lr=learning_rate,
        eps=1e-6,
    )


def label_config(labels):
    """The labels as a model's configuration takes them."""
    return {
        "num_labels": len(labels),
        "id2label": dict(enumerate(labels)),
        "label2id": {label: i for i, label in enumerate(labels)},
    }


def train(model, examples, batch_size, loss_of, epochs, learning_rate, warmup):
    """examples: (text or ids, what is right); loss_of(batch) gives the loss. The rate rises over the first `warmup` of all
    steps, then falls to zero; gradients are clipped to length 1."""

    def batches_of_epoch():
        return batches(examples, batch_size, length=lambda example: len(example[0]))

    first = batches_of_epoch()
    steps = epochs * len(first)
    optimizer = adamw(model, learning_rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / (warmup * steps), max(0.0, (steps - step) / (steps * (1 - warmup))))
    )
    model.train()
    for epoch in range(epochs):
        for batch in first if epoch == 0 else batches_of_epoch():
            loss = loss_of(batch)
            update(model, optimizer, loss)
            schedule.step()
        print(f"epoch {epoch + 1} of {epochs}: last loss {loss.item():.4f}", flush=True)
    model.eval()


def update(model, optimizer, loss):
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()


def save(model, tokenizer, out):
    """A Hugging Face folder, weights in float16."""
    model.half().save_pretrained(out)
    tokenizer.save_pretrained(out)
