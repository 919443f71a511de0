#!/usr/bin/env python3
"""Writes tests/data/text/older_cases.json: what transformers makes of folders without tokenizer.json.

    pip install transformers==4.57.3 sentencepiece==0.2.3 protobuf
    python scripts/unicode/make_older_cases.py

A folder is its tokenizer_config.json and its files; of a SentencePiece model there are the pieces, from which
tests/text/older_files_test.cpp makes the file again. Vocabularies are made here and tiny.
"""

import collections
import io
import json
import pathlib
import random
import tempfile

import sentencepiece
import transformers
from make_text_cases import FRAGMENTS, random_text
from sentencepiece import sentencepiece_model_pb2
from tokenizers import pre_tokenizers

from make_model_cases import ids_of, pair_merges, words

OUTPUT = pathlib.Path(__file__).resolve().parents[2] / "tests/data/text/older_cases.json"
MORE = ["a 1, 2", "price 3,", " leading", "trailing  ", "a  b   c", "``q'' and ''r``", "<s> a </s>", "x <mask> y", "x [MASK] y", "<unk> [UNK] <pad>", "\u2581\u2581 a", "<s>NOTUSED", "[CLS] x [SEP]"]


def train(texts, model_type, **options):
    """A SentencePiece model without normalization rules."""
    file = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(texts), model_writer=file, model_type=model_type, vocab_size=260, hard_vocab_limit=False,
                                             character_coverage=1.0, normalization_rule_name="identity", num_threads=1, minloglevel=2, **options)
    return file.getvalue()


def folder(config, files, model=None):
    """Loads a folder with transformers and encodes the texts."""
    rng = random.Random(len(json.dumps(config)))
    texts = [(text, None) for text in MORE] + [("the film", "a new film"), ("", "a")]
    texts += [(rng.choice(FRAGMENTS), None) for _ in range(8)] + [(random_text(rng), None) for _ in range(8)]
    result = {"config": config, "files": files}
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name)
        for file, text in {**files, "tokenizer_config.json": json.dumps(config)}.items():
            (path / file).write_text(text)
        if model is not None:
            file, content = model
            (path / file).write_bytes(content)
            proto = sentencepiece_model_pb2.ModelProto.FromString(content)
            result.update(model_file=file, model_type=proto.trainer_spec.model_type, unk_id=proto.trainer_spec.unk_id,
                          pieces=[[piece.piece, piece.score, piece.type] for piece in proto.pieces])
        tokenizer = transformers.AutoTokenizer.from_pretrained(path).backend_tokenizer
    result.update(vocab_size=tokenizer.get_vocab_size(), cases=[])
    for text, text_pair in texts:
        encoding = tokenizer.encode(text, text_pair)
        columns = {name: getattr(encoding, name) for name in ("ids", "tokens", "type_ids", "word_ids", "special_tokens_mask")}
        result["cases"].append({"text": text, "text_pair": text_pair, **columns, "offsets": [list(span) for span in encoding.offsets], "decoded": tokenizer.decode(encoding.ids)})
    return result


def main():
    rng = random.Random(2)
    lines = [line for line in (" ".join(random_text(rng).split()) for _ in range(300)) if line and "\0" not in line]
    lines += [line for line in FRAGMENTS if line.strip() and "\0" not in line] * 3
    counts = collections.Counter(c for line in lines for c in line)
    usual = {c for c, _ in counts.most_common(110)}
    lines = ["".join(c for c in line if c in usual) for line in lines] + ["the film is new", "a new film, 1, 2, 3,"] * 20
    fairseq = {model_type: train(lines, model_type) for model_type in ("unigram", "bpe")}
    albert = train(lines, "unigram", pad_id=0, unk_id=1, bos_id=-1, eos_id=-1, control_symbols=["[CLS]", "[SEP]", "[MASK]"])
    deberta = train(lines, "unigram", pad_id=0, bos_id=1, eos_id=2, unk_id=3, pad_piece="[PAD]", bos_piece="[CLS]", eos_piece="[SEP]", unk_piece="[UNK]")
    big_bird = train(lines, "bpe", pad_id=0, eos_id=1, bos_id=2, unk_id=3, control_symbols=["[CLS]", "[SEP]", "[MASK]"], user_defined_symbols=["film"])
    merges = pair_merges(words(pre_tokenizers.ByteLevel(add_prefix_space=True), lines), 120)
    vocab = ids_of(["<s>", "<pad>", "</s>", "<unk>", *sorted(pre_tokenizers.ByteLevel.alphabet()), *map("".join, merges), "<mask>"])
    byte_level = {"vocab.json": json.dumps(vocab), "merges.txt": "#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in merges)}
    mask = {"content": "<mask>", "lstrip": False, "rstrip": True, "normalized": False, "single_word": False, "__type": "AddedToken"}
    folders = [
        folder({"tokenizer_class": "RobertaTokenizer"}, byte_level),
        folder({"tokenizer_class": "LongformerTokenizer", "add_prefix_space": True, "trim_offsets": False, "mask_token": mask}, byte_level),
        folder({"tokenizer_class": "XLMRobertaTokenizer"}, {}, ("sentencepiece.bpe.model", fairseq["unigram"])),
        folder({"tokenizer_class": "XLMRobertaTokenizer", "mask_token": mask}, {}, ("sentencepiece.bpe.model", fairseq["bpe"])),
        folder({"tokenizer_class": "CamembertTokenizer"}, {}, ("sentencepiece.bpe.model", fairseq["unigram"])),
        folder({"tokenizer_class": "AlbertTokenizer"}, {}, ("spiece.model", albert)),
        folder({"tokenizer_class": "AlbertTokenizer", "do_lower_case": False, "keep_accents": True}, {}, ("spiece.model", albert)),
        folder({"tokenizer_class": "BigBirdTokenizer"}, {}, ("spiece.model", big_bird)),
        folder({"tokenizer_class": "DebertaV2Tokenizer"}, {}, ("spm.model", deberta)),
        folder({"tokenizer_class": "DebertaV2Tokenizer", "do_lower_case": True}, {}, ("spm.model", deberta)),
    ]
    content = {"transformers_version": transformers.__version__, "folders": folders}
    OUTPUT.write_text(json.dumps(content, separators=(",", ":")) + "\n")
    print(sum(len(entry["cases"]) for entry in folders), "cases,", OUTPUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
