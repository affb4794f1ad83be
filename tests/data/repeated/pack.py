"""Pack a folder of repeated runs of b_eff into one small file: pack.py FOLDER OUT.npz.xz.

Kept are one result without its samples, when each run started, and of every sample the time of one
iteration in steps of 0.2 % on a logarithmic scale. tests/python/support/repeated.py makes results
of it again.
"""

import io
import json
import lzma
import sys
from pathlib import Path
from typing import Any

import numpy as np

STEP = 2e-3
SHORTEST_S = 1e-8
INDICES = ("pattern", "size", "method", "repetition")


def iteration_steps(samples: dict[str, list[Any]]) -> np.ndarray[Any, Any]:
    seconds = np.array(samples["time_max_s"]) / np.array(samples["loop_length"])
    steps = np.round(np.log(seconds / SHORTEST_S) / STEP)
    assert 0 <= steps.min() <= steps.max() < 2**15
    return steps.astype(np.int16)


def main(folder: str, out: str) -> None:
    runs = [json.loads(path.read_text("utf-8")) for path in sorted(Path(folder).glob("*.json"))]
    first = runs[0]
    indices = [first["samples"][name] for name in INDICES]
    assert all([run["samples"][name] for name in INDICES] == indices for run in runs)
    steps = np.array([iteration_steps(run["samples"]) for run in runs])
    typical = np.median(steps, axis=0).astype(np.int16)
    first["environment"]["command_line"][0] = "b_eff"
    head = {key: value for key, value in first.items() if key != "samples"}
    packed = io.BytesIO()
    np.savez(
        packed,
        typical=typical,
        beside=steps - typical,
        indices=np.array(indices, dtype=np.uint8),
        started=np.array([run["environment"]["started_at"] for run in runs]),
        head=np.frombuffer(json.dumps(head).encode("utf-8"), dtype=np.uint8),
    )
    Path(out).write_bytes(lzma.compress(packed.getvalue(), preset=9))


if __name__ == "__main__":
    main(*sys.argv[1:])
