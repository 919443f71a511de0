"""PyTorch and onnxruntime as native libraries on one thread, for bench/hosts.mjs: answers as bench/process.mjs does."""

import json
import resource
import sys
import time
from pathlib import Path


def ids_of(n):
    """As contenders/text.mjs."""
    return [101, *(1000 + (i * 7919) % 20000 for i in range(n - 2)), 102]


def start_torch(options):
    import torch
    from transformers import BertForSequenceClassification

    torch.set_num_threads(1)
    model = BertForSequenceClassification.from_pretrained(options["folder"]).eval()

    @torch.inference_mode()
    def run(request):
        ids = torch.tensor([ids_of(request["n"])])
        return model(input_ids=ids, attention_mask=torch.ones_like(ids)).logits[0].tolist()

    return run, {"backend": "native", "version": torch.__version__, "threads": 1}


def start_onnxruntime(options):
    import numpy
    import onnxruntime

    session_options = onnxruntime.SessionOptions()
    session_options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        str(Path(options["folder"]) / options["model"]), session_options, providers=["CPUExecutionProvider"]
    )

    def run(request):
        ids = numpy.array([ids_of(request["n"])], dtype=numpy.int64)
        inputs = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
        return session.run(["logits"], inputs)[0][0].tolist()

    return run, {"backend": "native", "version": onnxruntime.__version__, "threads": 1}


def resident():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def main():
    run = None
    for line in sys.stdin:
        message = json.loads(line)
        if "start" in message:
            options = message["start"]
            run, facts = {"torch": start_torch, "onnxruntime": start_onnxruntime}[options["contender"]](options)
            reply = {"facts": facts}
        elif "memory" in message:
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            reply = {"resident": resident(), "peak": peak}
        else:
            repeats = message["repeats"]
            began = time.perf_counter()
            used = time.process_time()
            for _ in range(repeats):
                result = run(message["run"])
            reply = {
                "ms": (time.perf_counter() - began) * 1000 / repeats,
                "cpu": (time.process_time() - used) * 1000 / repeats,
                "result": result,
            }
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
