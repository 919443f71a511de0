"""Cuts golden cases down to what the tests need: python3 scripts/golden/trim.py GOLDEN OUT [CASE ...]

GOLDEN holds whole cases (see make_golden.py there), OUT/CASE gets the model's folder as it is, and of the golden files:
the inputs, the batch, the results of the pipeline and the windows of a long context, the logits (start and end logits),
the embeddings and what a family needs beside the tokens for every input, and of the first input the pooler's output, the
explanations, and hidden states and attentions, with their gradients, of two layers, whose indices golden.json names as
hidden_states_kept and attentions_kept.
Needs numpy and safetensors.
"""
import json
import shutil
import sys
from pathlib import Path

from safetensors.numpy import load_file, save_file

CASES = ["albert-mlm", "bert-mlm", "bert-multilabel", "bert-nsp", "bertrelkeyquery-tokcls", "bigbirdsparse-seqcls",
         "camembert-mlm", "debertav2-mlm", "debertav2-tokcls", "debertav3-nli", "distilbert-seqcls",
         "electra-discriminator", "ernie-seqcls", "longformer-qa", "mobilebert-seqcls", "modernbert-mlm",
         "modernbert-seqcls", "mpnet-mlm", "nezha-seqcls", "roberta-nli", "roberta-qa", "roformer-seqcls",
         "xlmroberta-tokcls"]
ONCE = ["pooler_output", "longformer_local", "global_attention_mask", "grad_embedding_output", "chefer_relevance",
        "attention_rollout", "ig_out_zero", "ig_word_pad"]
MODEL_FILES = ["config.json", "model.safetensors", "tokenizer.json", "vocab.txt", "vocab.json", "merges.txt",
               "tokenizer_config.json", "special_tokens_map.json"]


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
        every = kind in ("logits", "start_logits", "end_logits", "task_type_ids") or kind.startswith("embed_")
        if index == "batch" or every:
            kept[name] = tensor
        elif index == "0" and kind in ("hidden_states", "attentions", "attentions_effective"):
            kept[name] = tensor[golden[kind.removesuffix("_effective") + "_kept"]]
        elif index == "0" and kind == "grad_attentions":
            kept[name] = tensor[golden["attentions_kept"]]
        elif index == "0" and kind in ONCE:
            kept[name] = tensor
    keys = ["case", "task", "labels", "inputs", "batch", "pipeline", "overflow", "versions", "hidden_states_kept",
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
