"""What ports carried in real runs: shared memory, and TCP on the loopback."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from beff.judge.hardware import Carried, carried, wires_text
from beff.result.load import as_b_eff, load_document
from engines.b_eff_io.io_support import TINY
from engines.support import MPICH, SHORT, Library, assert_verified, result_in

pytestmark = pytest.mark.thorough

IO = (*TINY, "--time", "2s", "--types", "2")
PAIRS = ("--duration", "300ms", "--memory-per-process", "4MiB", "--progress", "never")
FEW = ("--patterns", "0,5", "--repetitions", "1")
OPTIONS = {"b_eff": (*SHORT, *FEW), "b_pairs": PAIRS, "b_eff_io": IO}


def run(
    library: Library,
    folder: Path,
    program: str,
    env: dict[str, str] | None = None,
    processes: int = 2,
) -> tuple[dict[str, Any], Carried]:
    done = library.run(processes, *OPTIONS[program], cwd=folder, program=program, env=env)
    assert done.returncode in (0, 3), done.stderr
    assert_verified(folder, program)
    found = carried(load_document(folder / f"{program}.json").result)
    assert found is not None
    return result_in(folder, program), found


def sent_in_all(result: dict[str, Any]) -> int:
    """What b_eff has sent: recorded loops, warm-up, quick latency measurements of 10 iterations."""
    messages = {pattern["id"]: pattern["messages"] for pattern in result["patterns"]}
    samples, sizes = result["samples"], result["message_sizes_bytes"]
    rows = list(zip(*(samples[name] for name in ("pattern", "size", "loop_length")), strict=True))
    loops = sum(messages[p] * sizes[s] * (length + (s < 18)) for p, s, length in rows)
    return loops + sum(messages[p] * sizes[0] * 11 for p, s, _ in rows if s == 0)


@pytest.mark.parametrize("program", ["b_eff", "b_pairs"])
def test_nothing_leaves_by_shared_memory(tmp_path: Path, library: Library, program: str) -> None:
    result, found = run(library, tmp_path, program)
    assert found.payload == [0]
    assert wires_text(found) == "nothing left the host: shared memory"
    by_loop = sum(port.total for port in found.ports if not port.leaves_host)
    assert by_loop < 0.5 * found.inside  # a launcher talks on it, too
    if program == "b_eff":
        assert found.inside == sent_in_all(result)
        assert {pattern["leaving_messages"] for pattern in result["patterns"]} == {0}


def leaving(placement: Sequence[int], sends: Sequence[tuple[int, int]]) -> int:
    """Messages that leave the host which sends the most to others."""
    out = [placement[one] for one, other in sends if placement[one] != placement[other]]
    return max((out.count(host) for host in set(placement)), default=0)


def test_payload_between_hosts_is_exact(tmp_path: Path) -> None:
    """MPICH takes halves of the processes for hosts."""
    result, found = run(MPICH, tmp_path, "b_eff", {"MPIR_CVAR_NUM_CLIQUES": "2"}, 4)
    assert found.knows_payload
    assert len(found.payload) == 2
    assert found.payload.sum() + found.inside == sent_in_all(result)
    first, second = found.payload
    assert 0 < first == second
    hosts = as_b_eff(load_document(tmp_path / "b_eff.json")).environment.placement
    ring = [(i, (i + step) % 4) for i in range(4) for step in (1, -1)]
    pairs = [(i, i ^ 1) for i in range(4)]
    known = {p["id"]: p["leaving_messages"] for p in result["patterns"]}
    assert known[5] == leaving(hosts, ring)
    assert known[0] == leaving(hosts, pairs)
