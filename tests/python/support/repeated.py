"""Real repeated runs, stored small in tests/data/repeated and expanded into results."""

import hashlib
import io
import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from beff.definition.b_eff import figure_fields
from beff.result.b_eff_result import BEffResult
from beff.result.load import Document, check_document

REPEATED = Path(__file__).resolve().parents[2] / "data" / "repeated"
STEP = 2e-3
SHORTEST_S = 1e-8


@cache
def b_eff_runs(name: str) -> tuple[Document, ...]:
    """The runs of a session of b_eff in order of time.

    Every loop has one iteration with the time that an iteration took. The figures are derived anew.
    """
    content = lzma.decompress((REPEATED / f"{name}.npz.xz").read_bytes())
    with np.load(io.BytesIO(content)) as packed:
        steps = packed["beside"] + packed["typical"]
        seconds = SHORTEST_S * np.exp(steps * STEP)
        pattern, size, method, repetition = packed["indices"].tolist()
        started = packed["started"].tolist()
        head = json.loads(packed["head"].tobytes())
    documents = []
    for index, times in enumerate(seconds):
        samples = {
            "pattern": pattern,
            "size": size,
            "method": method,
            "repetition": repetition,
            "loop_length": [1] * len(times),
            **dict.fromkeys(("time_max_s", "time_avg_s", "time_min_s"), times.tolist()),
            "slowest_rank": [0] * len(times),
        }
        environment = {**head["environment"], "started_at": started[index]}
        fields = with_figures({**head, "environment": environment, "samples": samples})
        documents.append(check_document(f"{name} {index + 1}", fields))
    return tuple(documents)


def with_figures(fields: dict[str, Any]) -> dict[str, Any]:
    """Derive all figures from the samples again; the digest only tells runs apart."""
    patterns = [{"repetitions": 0, **pattern} for pattern in fields["patterns"]]
    fields = {**fields, "patterns": patterns}
    again = figure_fields(BEffResult.model_validate(fields))
    times = repr(fields["samples"]["time_max_s"]).encode()
    own = {"algorithm": "crc32", "samples": hashlib.sha256(times).hexdigest()[:8]}
    return {**fields, **again, "summary": {**fields["summary"], **again["summary"]}, "digest": own}


@cache
def b_eff_io_runs(name: str) -> tuple[Document, ...]:
    """The results of a session of b_eff_io, in order of time, which are stored whole."""
    text = lzma.decompress((REPEATED / f"{name}.jsonl.xz").read_bytes()).decode("utf-8")
    runs = [json.loads(line) for line in text.splitlines()]
    return tuple(check_document(f"{name} {index + 1}", run) for index, run in enumerate(runs))
