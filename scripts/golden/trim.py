"""Cuts golden cases down to what the tests need: python3 scripts/golden/trim.py GOLDEN OUT [CASE ...]

GOLDEN holds whole cases (see make_golden.py there), OUT/CASE gets the model's folder as it is, and of the golden files:
the inputs, the batch, the results of text-classification, the logits (start and end logits) of every input, and of the
first input hidden states and attentions of two layers, whose indices golden.json names as hidden_states_kept and
attentions_kept.
Needs numpy and safetensors.
"""
import json
import shutil
import sys
from pathlib import Path

from safetensors.numpy import load_file, save_file

CASES = ["bert-mlm", "bert-multilabel", "bert-nsp", "bertrelkeyquery-tokcls"]
MODEL_FILES = ["config.json", "model.safetensors", "tokenizer.json", "vocab.txt", "tokenizer_config.json",
               "special_tokens_map.json"]


def trim(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for name in MODEL_FILES:
        if (source / name).exists():
            shutil.copyfile(source / name, target / name)

    golden = json.loads((source / "golden.json").read_text())
    tensors = load_file(source / "golden.safetensors")
    layers = tensors["0.attentions"].shape[0]
    golden["hidden_states_kept"] = [0, layers]  # the embeddings' output and the last layer's
    golden["attentions_kept"] = [0, layers - 1]
    kept = {}
    for name, tensor in tensors.items():
        index, _, kind = name.partition(".")
        if index == "batch" or kind in ("logits", "start_logits", "end_logits"):
            kept[name] = tensor
        elif index == "0" and kind in ("hidden_states", "attentions"):
            kept[name] = tensor[golden[kind + "_kept"]]
    golden["pipeline"] = [call for call in golden.get("pipeline", []) if call["task"] == "text-classification"]
    keys = ["case", "task", "labels", "inputs", "batch", "pipeline", "versions", "hidden_states_kept",
            "attentions_kept"]
    text = json.dumps({key: golden[key] for key in keys if key in golden}, ensure_ascii=False, separators=(",", ":"))
    (target / "golden.json").write_text(text + "\n")
    save_file(kept, target / "golden.safetensors")


def main() -> None:
    root, out, cases = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] or CASES
    for case in cases:
        trim(root / case, out / case)


if __name__ == "__main__":
    main()
