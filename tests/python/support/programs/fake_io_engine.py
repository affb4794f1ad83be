"""What the stand-in for b_eff_io does: it hands out files that the real one wrote at tiny size."""

import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path

DATA = Path(__file__).resolve().parents[3] / "data"
_REFUSALS = {
    "usage": (2, "b_eff_io: --max-data 1 MiB: one call of each pattern writes 99 MiB already"),
    "fails": (1, "b_eff_io: something broke"),
}


def main(arguments: list[str]) -> int:
    """Behave as FAKE_IO_ENGINE says: short, stopped, fails, usage, silent, damaged, wrong, slow."""
    behaviour = os.environ.get("FAKE_IO_ENGINE", "short")
    if behaviour in _REFUSALS:
        code, message = _REFUSALS[behaviour]
        print(message, file=sys.stderr)
        return code
    prefix = "b_eff_io"
    if "--output" in arguments:
        prefix = arguments[arguments.index("--output") + 1]
    Path(f"{prefix}.arguments").write_text(json.dumps(arguments), encoding="utf-8")
    if behaviour == "silent":
        return 0
    if behaviour == "slow":
        return _measure_slowly(prefix)
    shutil.copy(DATA / "b_eff_io_stopped.journal.jsonl", f"{prefix}.journal.jsonl")
    partial = behaviour == "stopped"
    stored = DATA / ("b_eff_io_stopped.json" if partial else "b_eff_io_short.json")
    text = stored.read_text(encoding="utf-8")
    if behaviour == "damaged":
        text = text[: len(text) // 2]
    if behaviour == "wrong":
        document = json.loads(text)
        document["summary"]["b_eff_io_MBps"] *= 2
        text = json.dumps(document)
    Path(f"{prefix}.json").write_text(text, encoding="utf-8")
    return 3


def _measure_slowly(prefix: str) -> int:
    """Write the journal line by line until a signal comes; end with the partial result."""
    stopped = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda received, _frame: stopped.append(received))
    stored = DATA / "b_eff_io_stopped.journal.jsonl"
    lines = stored.read_text(encoding="utf-8").splitlines()
    with Path(f"{prefix}.journal.jsonl").open("w", encoding="utf-8") as journal:
        for line in lines[:-1]:
            journal.write(line + "\n")
            journal.flush()
            time.sleep(0.02)
        deadline = time.monotonic() + 240
        while not stopped and time.monotonic() < deadline:
            time.sleep(0.02)
        journal.write(lines[-1] + "\n")
    shutil.copy(DATA / "b_eff_io_stopped.json", f"{prefix}.json")
    return 3
