#!/usr/bin/env python3
"""Writes review-rows.json: what [CLS] pays each token in the second-to-last layer, and scikit-learn's scaling of it.

    make_review_rows.py GOLDEN/articles

The folder holds review.json (text, tokens, offsets) and review.safetensors (PyTorch's attentions [layers, heads, n, n])
of the review of "Seeing BERT through attention". Needs numpy, safetensors, scikit-learn.
"""

import json
import sys
from pathlib import Path

import numpy as np
import sklearn
from safetensors.numpy import load_file
from sklearn.preprocessing import MinMaxScaler

folder = Path(sys.argv[1])
review = json.loads((folder / "review.json").read_text())
attentions = load_file(folder / "review.safetensors")["attentions"]

cls_rows = attentions[-2][:, 0, :]  # [heads, n]
heat_map = MinMaxScaler().fit_transform(cls_rows[:, 1:-1])  # over the heads, between [CLS] and [SEP]


def rows(array: np.ndarray) -> list[list[float]]:
    """float32 in the nine digits that give it back."""
    return [[float(f"{value:.9g}") for value in row] for row in array.astype(np.float32)]


result = {
    "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
    "text": review["text"],
    "tokens": review["tokens"],
    "offsets": review["offsets"],
    "layers": len(attentions),
    "cls_rows": rows(cls_rows),
    "heat_map": rows(heat_map),
}
text = json.dumps(result, ensure_ascii=False, separators=(",", ":"))
(Path(__file__).parent / "review-rows.json").write_text(text + "\n")
