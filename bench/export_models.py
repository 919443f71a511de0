"""Classifiers with random weights, for benchmarks: what Headlight loads, and what its peers need in its place.

    python3 export_models.py NAME FOLDER

NAME is a key of SIZES. Into FOLDER go
  config.json, model.safetensors, tokenizer.json, ...  as save_pretrained writes them; token i of the vocabulary, from
                                                       1000 on, is the word "w<i>", so that a text has known tokens
  onnx/model.onnx, model_quantized.onnx                as transformers.js expects them: float32, and dynamic int8 ("q8")
  logits.*.onnx, tokens.*.onnx, attentions.*.onnx      float32 and int8, for onnxruntime: logits; the last hidden state as well;
                                                       that and the attentions of all layers. The first two with onnxruntime's
                                                       own fusion of attention, normalisation and GELU, which the third does
                                                       not allow.
"""

import sys
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers import optimizer
from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

# hidden size, layers, heads, intermediate size
SIZES = {"minilm-l6": (384, 6, 12, 1536), "bert-base": (768, 12, 12, 3072)}
INPUTS = ["input_ids", "attention_mask", "token_type_ids"]
SPECIAL = {0: "[PAD]", 100: "[UNK]", 101: "[CLS]", 102: "[SEP]", 103: "[MASK]"}


class Exported(torch.nn.Module):
    """The model with a chosen tuple of outputs."""

    def __init__(self, model, what):
        super().__init__()
        self.model, self.what = model, what

    def forward(self, input_ids, attention_mask, token_type_ids):
        out = self.model(
            input_ids=input_ids,
            attention_mask=attention_mask,
            token_type_ids=token_type_ids,
            output_hidden_states=self.what != "logits",
            output_attentions=self.what == "attentions",
        )
        results = [out.logits]
        if self.what != "logits":
            results.append(out.hidden_states[-1])
        if self.what == "attentions":
            results.extend(out.attentions)
        return tuple(results)


def make_model(name):
    hidden, layers, heads, intermediate = SIZES[name]
    torch.manual_seed(0)
    config = BertConfig(
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        intermediate_size=intermediate,
        num_labels=2,
        attn_implementation="eager",
    )
    model = BertForSequenceClassification(config).eval()
    with torch.no_grad():  # the initial classifier gives nearly the same for every text
        model.classifier.weight.normal_(std=0.5)
    return model


def save_folder(model, folder):
    model.save_pretrained(folder)
    words = [SPECIAL.get(i, f"w{i}") for i in range(model.config.vocab_size)]
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(words) + "\n")
    BertTokenizerFast(vocab=str(vocabulary), do_lower_case=True).save_pretrained(folder)


def export(model, what, path):
    ids = torch.randint(1000, 20000, (1, 16))
    names = ["logits"]
    if what != "logits":
        names.append("last_hidden_state")
    if what == "attentions":
        names += [f"attention_{i}" for i in range(model.config.num_hidden_layers)]
    torch.onnx.export(
        Exported(model, what),
        (ids, torch.ones_like(ids), torch.zeros_like(ids)),
        path,
        input_names=INPUTS,
        output_names=names,
        dynamic_axes={name: {0: "batch", 1: "n"} for name in INPUTS},
        opset_version=17,
        dynamo=False,
    )


def quantise(source, target):
    quantize_dynamic(
        source,
        target,
        weight_type=QuantType.QInt8,
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
    )


def main(name, folder):
    model = make_model(name)
    folder.mkdir(parents=True, exist_ok=True)
    save_folder(model, folder)
    for what in ("logits", "tokens", "attentions"):
        plain = folder / f"{what}.plain.onnx"
        target = folder / f"{what}.float32.onnx"
        export(model, what, plain)
        if what == "attentions":
            plain.rename(target)
        else:
            fused = optimizer.optimize_model(
                str(plain),
                model_type="bert",
                num_heads=model.config.num_attention_heads,
                hidden_size=model.config.hidden_size,
                opt_level=0,
            )
            fused.save_model_to_file(str(target))
            if what == "logits":
                (folder / "onnx").mkdir(exist_ok=True)
                plain.rename(folder / "onnx" / "model.onnx")
                quantise(folder / "onnx" / "model.onnx", folder / "onnx" / "model_quantized.onnx")
            else:
                plain.unlink()
        quantise(target, folder / f"{what}.int8.onnx")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
