"""Folders that both Headlight and transformers.js load, of the committed reference models: tests/peers/export_onnx.py OUT

Into OUT/NAME go config, tokenizer and model.safetensors as save_pretrained writes them, and onnx/model.onnx in float32.
"""

import sys
from pathlib import Path

import torch
import transformers
from transformers import AutoTokenizer

GOLDEN = Path(__file__).parent.parent / "data" / "golden"
# What is exported, from which reference model, as which class, with which outputs; and with what changed.
REGRESSION = {"num_labels": 1, "problem_type": "regression", "ignore_mismatched_sizes": True}
FOLDERS = {
    "classification": ("distilbert-seqcls", "AutoModelForSequenceClassification", ["logits"]),
    "regression": ("distilbert-seqcls", "AutoModelForSequenceClassification", ["logits"], REGRESSION),
    "multilabel": ("bert-multilabel", "AutoModelForSequenceClassification", ["logits"]),
    "tokens": ("xlmroberta-tokcls", "AutoModelForTokenClassification", ["logits"]),
    "masks": ("bert-mlm", "AutoModelForMaskedLM", ["logits"]),
    "answers": ("roberta-qa", "AutoModelForQuestionAnswering", ["start_logits", "end_logits"]),
    "entailment": ("roberta-nli", "AutoModelForSequenceClassification", ["logits"]),
    "encoder": ("distilbert-seqcls", "AutoModel", ["last_hidden_state"]),
}


class Exported(torch.nn.Module):
    """The model as a function of the tokenizer's tensors, in order, with a chosen tuple of outputs."""

    def __init__(self, model, inputs, outputs):
        super().__init__()
        self.model, self.inputs, self.outputs = model, inputs, outputs

    def forward(self, *tensors):
        results = self.model(**dict(zip(self.inputs, tensors)))
        return tuple(results[name] for name in self.outputs)


def export(folder, golden, class_name, outputs, changes=None):
    tokenizer = AutoTokenizer.from_pretrained(GOLDEN / golden)
    model = getattr(transformers, class_name).from_pretrained(
        GOLDEN / golden, dtype=torch.float32, attn_implementation="eager", **(changes or {})
    )
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    example = tokenizer("a b", "c", return_tensors="pt")
    inputs = list(example)
    (folder / "onnx").mkdir()
    torch.onnx.export(
        Exported(model, inputs, outputs),
        tuple(example[name] for name in inputs),
        folder / "onnx" / "model.onnx",
        input_names=inputs,
        output_names=outputs,
        dynamic_axes={name: {0: "batch", 1: "n"} for name in inputs},
        opset_version=17,
        dynamo=False,
    )


def main(out):
    torch.manual_seed(1)  # of heads that no reference model has
    for name, (golden, *how) in FOLDERS.items():
        folder = Path(out) / name
        folder.mkdir(parents=True)
        export(folder, golden, *how)


if __name__ == "__main__":
    main(*sys.argv[1:])
