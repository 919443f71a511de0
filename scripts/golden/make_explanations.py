"""Explanations by their papers' formulas in float64: python3 scripts/golden/make_explanations.py

Reads tests/data/golden/bert-multilabel, a BERT classifier, and writes for its first input
tests/data/explain/bert-multilabel.safetensors: attention flow [n], norms [layers, heads, n, n], value zeroing
[layers, n, n] and the first token's row over all layers [n], head importance [layers, heads], and occlusion [n] of the
greatest logit, masked, by words, and taken out, each with the falls of the probability. Needs numpy.
"""
import json
import struct
from collections import deque
from math import erf
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2] / "tests/data"
CASE = ROOT / "golden/bert-multilabel"


def read_tensors(path: Path) -> dict:
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    return {name: np.frombuffer(data[8 + size + entry["data_offsets"][0]:8 + size + entry["data_offsets"][1]],
                                {"F32": "<f4", "I32": "<i4", "I64": "<i8"}[entry["dtype"]]).reshape(entry["shape"])
            for name, entry in header.items() if name != "__metadata__"}


def write_tensors(path: Path, tensors: dict) -> None:
    header, data = {}, b""
    for name, tensor in tensors.items():
        values = np.ascontiguousarray(tensor, "<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(header, separators=(",", ":")).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


class Bert:
    def __init__(self, folder: Path):
        self.config = json.loads((folder / "config.json").read_text())
        self.weights = {name: tensor.astype(np.float64) for name, tensor in read_tensors(folder / "model.safetensors").items()}
        self.layers, self.heads = self.config["num_hidden_layers"], self.config["num_attention_heads"]

    def linear(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def norm(self, x, name):
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + self.config["layer_norm_eps"])
        return scaled * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def activation(self, x):
        if self.config["hidden_act"] == "gelu":
            return x / 2 * (1 + np.vectorize(erf)(x / np.sqrt(2)))
        return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))

    def embed(self, ids, types):
        stem = "bert.embeddings."
        x = (self.weights[stem + "word_embeddings.weight"][ids] + self.weights[stem + "token_type_embeddings.weight"][types]
             + self.weights[stem + "position_embeddings.weight"][:len(ids)])
        return self.norm(x, stem + "LayerNorm")

    def attention(self, x, layer):
        """Probabilities [heads, n, n] and values [heads, n, head_size]."""
        name, n = f"bert.encoder.layer.{layer}.attention.self.", len(x)
        split = lambda part: self.linear(x, name + part).reshape(n, self.heads, -1).transpose(1, 0, 2)
        q, k, v = split("query"), split("key"), split("value")
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
        p = np.exp(scores - scores.max(-1, keepdims=True))
        return p / p.sum(-1, keepdims=True), v

    def after_attention(self, x, context, layer):
        name = f"bert.encoder.layer.{layer}."
        joined = context.transpose(1, 0, 2).reshape(len(x), -1)
        a = self.norm(x + self.linear(joined, name + "attention.output.dense"), name + "attention.output.LayerNorm")
        wide = self.activation(self.linear(a, name + "intermediate.dense"))
        return self.norm(a + self.linear(wide, name + "output.dense"), name + "output.LayerNorm")

    def logits(self, ids, types, mask=None):
        x = self.embed(ids, types)
        for layer in range(self.layers):
            p, v = self.attention(x, layer)
            if mask is not None:
                p = p * mask[layer][:, None, None]
            x = self.after_attention(x, p @ v, layer)
        return self.linear(np.tanh(self.linear(x[0], "bert.pooler.dense")), "classifier")


def greatest_flow(capacities, source, sink):
    """Edmonds & Karp over a dict node -> node -> capacity."""
    room = {a: dict(edges) for a, edges in capacities.items()}
    for a, edges in capacities.items():
        for b in edges:
            room.setdefault(b, {}).setdefault(a, 0.0)
    total = 0.0
    while True:
        before, queue = {source: None}, deque([source])
        while queue and sink not in before:
            a = queue.popleft()
            for b, free in room[a].items():
                if free > 1e-13 and b not in before:
                    before[b] = a
                    queue.append(b)
        if sink not in before:
            return total
        way, b = [], sink
        while before[b] is not None:
            way.append((before[b], b))
            b = before[b]
        least = min(room[a][b] for a, b in way)
        for a, b in way:
            room[a][b] -= least
            room[b][a] += least
        total += least


def main() -> None:
    bert = Bert(CASE)
    item = json.loads((CASE / "golden.json").read_text())["inputs"][0]
    ids, types = np.array(item["input_ids"]), np.array(item["token_type_ids"])
    special, words, n = item["special_tokens_mask"], item["word_ids"], len(item["input_ids"])
    inputs, attentions, values = [bert.embed(ids, types)], [], []
    for layer in range(bert.layers):
        p, v = bert.attention(inputs[-1], layer)
        attentions.append(p)
        values.append(v)
        inputs.append(bert.after_attention(inputs[-1], p @ v, layer))
    logits = bert.logits(ids, types)
    target = int(logits.argmax())
    out = {"target": np.array([target])}

    network = {}
    for layer, p in enumerate(attentions):
        matrix = 0.5 * p.mean(0) + 0.5 * np.eye(n)
        for i in range(n):
            network[(layer + 1, i)] = {(layer, j): matrix[i, j] for j in range(n)}
    out["flow"] = np.array([greatest_flow(network, (bert.layers, 0), (0, j)) for j in range(n)])

    norms, zeroing, rolled = [], [], np.eye(n)
    for layer, (p, v) in enumerate(zip(attentions, values)):
        w = bert.weights[f"bert.encoder.layer.{layer}.attention.output.dense.weight"].T.reshape(bert.heads, -1, inputs[0].shape[1])
        norms.append(p * np.linalg.norm(v @ w, axis=-1)[:, None, :])
        turned, y = np.zeros((n, n)), inputs[layer + 1]
        for j in range(n):
            without = v.copy()
            without[:, j] = 0
            z = bert.after_attention(inputs[layer], p @ without, layer)
            turned[:, j] = 1 - (y * z).sum(-1) / np.linalg.norm(y, axis=-1) / np.linalg.norm(z, axis=-1)
        turned /= turned.sum(-1, keepdims=True)
        zeroing.append(turned)
        rolled = turned @ rolled
    out.update(norms=np.array(norms), value_zeroing=np.array(zeroing), value_zeroing_row=rolled[0])

    importance = np.zeros((bert.layers, bert.heads))
    for layer, head in np.ndindex(importance.shape):
        def masked(value):
            mask = np.ones(importance.shape)
            mask[layer, head] = value
            return bert.logits(ids, types, mask)[target]
        importance[layer, head] = abs(masked(1 + 1e-4) - masked(1 - 1e-4)) / 2e-4
    out["head_importance"] = importance

    sigmoid = lambda x: 1 / (1 + np.exp(-x))
    mask_id = json.loads((CASE / "tokenizer.json").read_text())
    mask_id = next(token["id"] for token in mask_id["added_tokens"] if token["content"] == "[MASK]")
    single = [[i] for i in range(n) if not special[i]]
    whole_words = [[i for i in range(n) if words[i] == word] for word in sorted({w for w in words if w is not None})]
    for name, units, remove in (("mask", single, False), ("words", whole_words, False), ("remove", single, True)):
        falls, probability = np.zeros(n), np.zeros(n)
        for unit in units:
            if remove:
                kept = [i for i in range(n) if i not in unit]
                logit = bert.logits(ids[kept], types[kept])[target]
            else:
                changed = ids.copy()
                changed[unit] = mask_id
                logit = bert.logits(changed, types)[target]
            falls[unit] = (logits[target] - logit) / len(unit)
            probability[unit] = (sigmoid(logits[target]) - sigmoid(logit)) / len(unit)
        out["occlusion_" + name], out["occlusion_" + name + "_probability"] = falls, probability
    write_tensors(ROOT / "explain/bert-multilabel.safetensors", out)


if __name__ == "__main__":
    main()
