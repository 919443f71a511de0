"""Folders that `headlight prune` writes, opened by transformers 4, the last that reads pruned_heads.

    python -m unittest tests/peers/transformers_4/pruned_test.py      (needs torch and requirements.txt beside it)
"""

import json
import pathlib
import subprocess
import tempfile
import unittest

import torch
import transformers

ROOT = pathlib.Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "data" / "golden"
TEXT = "The patient suffers from severe headaches."
FAMILIES = [
    "bert-multilabel",
    "bertrelkeyquery-tokcls",
    "distilbert-seqcls",
    "electra-discriminator",
    "ernie-seqcls",
    "roberta-nli",
    "roformer-seqcls",
]


def node(*arguments):
    return subprocess.run(["node", *map(str, arguments)], check=True, capture_output=True, text=True).stdout


class Pruned(unittest.TestCase):
    def test_transformers_4_gives_the_logits_of_headlight(self):
        self.assertTrue(transformers.__version__.startswith("4."))
        for name in FAMILIES:
            with self.subTest(name), tempfile.TemporaryDirectory() as temporary:
                folder = pathlib.Path(temporary) / name
                node(ROOT / "dist" / "cli.js", "prune", GOLDEN / name, "-o", folder, "--heads", "0.0,1.1")
                told = json.loads(node(pathlib.Path(__file__).parent / "logits.mjs", folder, TEXT))
                architecture = json.loads((folder / "config.json").read_text())["architectures"][0]
                model, report = getattr(transformers, architecture).from_pretrained(folder, output_loading_info=True)
                self.assertFalse(report["missing_keys"] or report["mismatched_keys"], report)
                self.assertEqual(model.config.pruned_heads, {0: [0], 1: [1]})
                inputs = {"input_ids": torch.tensor([told["ids"]])}
                if "distilbert" not in name:
                    inputs["token_type_ids"] = torch.tensor([told["typeIds"]])
                with torch.no_grad():
                    output = model.eval()(**inputs)
                logits = output.logits[0].flatten()
                torch.testing.assert_close(torch.tensor(told["logits"]), logits, rtol=1e-4, atol=1e-4)


if __name__ == "__main__":
    unittest.main()
