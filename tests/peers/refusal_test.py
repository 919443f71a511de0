"""Hugging Face transformers must refuse a pack, and must not read codes as weights even when asked for them by name.

    python -m unittest tests/peers/refusal_test.py        (needs torch and transformers: requirements.txt beside it)
"""

import pathlib
import unittest

from safetensors import safe_open
from transformers import AutoModelForSequenceClassification

PACK = pathlib.Path(__file__).parents[2] / "models" / "sentiment-en"


class Refusal(unittest.TestCase):
    def test_the_folder_has_no_weights_that_transformers_knows(self):
        with self.assertRaisesRegex(OSError, "model.safetensors"):
            AutoModelForSequenceClassification.from_pretrained(PACK)

    def test_the_variant_by_name_has_no_weight_that_could_be_misread(self):
        _, report = AutoModelForSequenceClassification.from_pretrained(PACK, variant="int8", output_loading_info=True)
        with safe_open(PACK / "model.int8.safetensors", "pt") as weights:
            codes = {name for name in weights.keys() if name.endswith("_int8")}
        self.assertGreater(len(codes), 30)
        self.assertLessEqual(codes, set(report["unexpected_keys"]))
        self.assertLessEqual({name.removesuffix("_int8") for name in codes}, set(report["missing_keys"]))


if __name__ == "__main__":
    unittest.main()
