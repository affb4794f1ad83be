"""The table of inputs: files as users have them, by the names by which commands call for them.

`given` holds what others wrote, and results that only real runs give: the `command_line` in each
says how it was measured.
"""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import io_core as io
from support.io_results import FAILED_PATTERN, IoRun, make_io_result

from golden.clock import NOW
from golden.network import Fields, Network

HERE = Path(__file__).parent
_GIVEN, _DATA = HERE / "given", HERE.parent / "data"
_ONE_HOST = Network(hosts=1, per_host=4)
_SLOW_HOSTS = Network(hosts=12, slow={(3,): 1.6, (7,): 1.3})
_DAYS = {day: Network(day=day, slow={(3,): 1.25} if day > 5 else {}) for day in range(1, 11)}
"""A machine over ten days, with a host that became slower on the sixth."""
_VALID_IO = IoRun(time_s=1800.0, machine={"decision_s": 0.01}, resident=0)
_ORIGINAL = {"procedure": io.Procedure.ORIGINAL}


def _stored(path: Path) -> bytes:
    return lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()


def _map(network: Network, **more: Any) -> Fields:
    return network.b_pairs(**more)[0]


def _changed(name: str, part: str, figure: str, times: float = 1.01) -> Fields:
    """Return a result of which a figure was changed by hand, or the first of a list."""
    content = FILES[name]()
    fields: Fields = json.loads(content) if isinstance(content, bytes) else content
    first = fields[part][figure]
    if isinstance(first, list):
        first[0] *= times
    else:
        fields[part][figure] *= times
    return fields


def _stand_ins(folder: str, **results: Callable[[], Fields]) -> dict[str, Callable[[], Any]]:
    """Return a folder of programs, by name, and of what each gives."""
    program = {f"{folder}/{name}": partial(_stored, _GIVEN / "stand_in") for name in results}
    return program | {f"{folder}/{name}.json": make for name, make in results.items()}


def _updated(day: int) -> Fields:
    """Return a result of the day by a program of another commit."""
    fields = _DAYS[day].b_eff()
    fields["program"]["git_commit"] = "7"
    return fields


def _silent() -> Fields:
    """Return a map that ended since a host, and two on their link, did not answer."""
    waits = {"pass": 1, "round": 5, "silent": [4], "waiting": [[2, 6]]}
    return _map(Network(), stop_after=12) | {"no_answer": waits}


FILES: dict[str, Callable[[], Fields | str | bytes]] = {
    **{
        path.relative_to(_GIVEN).as_posix().removesuffix(".xz"): partial(_stored, path)
        for path in sorted(_GIVEN.rglob("*"))
        if path.is_file()
    },
    "valid.json": partial(_stored, _DATA / "b_eff_2p_valid.json"),
    "short.json": partial(_stored, _DATA / "b_eff_2p_one_method.json"),
    "definition_3.1.json": partial(_stored, _DATA / "b_eff_4p_definition_3.1.json"),
    "changed.json": partial(_changed, "valid.json", "summary", "b_eff_MBps"),
    "changed_sample.json": partial(_changed, "short.json", "samples", "time_max_s"),
    "changed_io.json": partial(_changed, "io_short.json", "summary", "b_eff_io_MBps"),
    "changed_map.json": partial(_changed, "map_good.json", "summary", "latency_us"),
    "stopped.json": partial(_ONE_HOST.b_eff, stop_after=2500),
    "killed.journal.jsonl": partial(_stored, _DATA / "b_eff_2p_killed.journal.jsonl"),
    "noisy.json": Network(noise=5.0).b_eff,
    "methods.json": partial(_ONE_HOST.b_eff, methods=["sendrecv", "put_fence"], repetitions=1),
    "few.json": partial(_ONE_HOST.b_eff, pattern_ids=[5], size_indices=[0, 20], repetitions=2),
    "io_valid.json": partial(make_io_result, _VALID_IO),
    "io_original.json": partial(make_io_result, replace(_VALID_IO, plan=_ORIGINAL)),
    "io_from_memory.json": partial(make_io_result, replace(_VALID_IO, resident=100 << 20)),
    "io_cache_given.json": partial(make_io_result, IoRun(resident=0, cache=4 << 30)),
    "io_2.1.json": partial(make_io_result, IoRun(plan={"release": io.Release.R2_1})),
    "io_0.5.json": partial(make_io_result, IoRun(plan={"release": io.Release.R0_5})),
    "io_failed.json": partial(make_io_result, FAILED_PATTERN),
    "io_short.json": partial(_stored, _DATA / "b_eff_io_short.json"),
    "io_stopped.json": partial(_stored, _DATA / "b_eff_io_stopped.json"),
    "io.journal.jsonl": partial(_stored, _DATA / "b_eff_io_stopped.journal.jsonl"),
    "io_default.json": partial(_stored, _DATA / "default_run" / "b_eff_io_2p.json"),
    "map_good.json": partial(_map, Network()),
    "map_open.json": partial(_map, Network(slow={(3,): 2.0}, seldom=0.2)),
    "map_slow_hosts.json": partial(_map, _SLOW_HOSTS),
    "map_slow_link.json": partial(_map, Network(slow={(2, 5): 2.0})),
    "map_silent.json": _silent,
    "map_switches.json": partial(_map, Network(hosts=16, leaf=8, uplink=4)),
    "map_kinds.json": partial(_map, Network(slow={(host,): 1.3 for host in range(4, 8)})),
    "map_noisy.json": partial(_map, Network(noise=3.0)),
    "map_stopped.json": partial(_map, Network(), stop_after=20),
    "map.journal.jsonl": lambda: Network().b_pairs(stop_after=20)[1],
    **{f"days/{day}.json": network.b_eff for day, network in _DAYS.items()},
    **{f"quick/{day}.json": partial(_DAYS[day].b_eff, definition="short-1") for day in _DAYS},
    **{f"maps/{day}.json": partial(_map, network) for day, network in _DAYS.items()},
    **{f"kept/cluster/runs/{day}/1/b_eff_8p.json": _DAYS[day].b_eff for day in range(1, 6)},
    **{
        f"updated/cluster/runs/{day}/1/b_eff_8p.json": partial(_updated, day) for day in range(1, 6)
    },
    **{
        f"uneven/cluster/runs/{day}/1/b_eff_8p.json": Network(day=day, slow={(3,): slow}).b_eff
        for day, slow in enumerate((1.0, 1.4, 1.1, 1.3, 1.2), start=1)
    },
    **{
        f"fleet/{day}/b_pairs.json": partial(_map, replace(_DAYS[day], hosts=hosts))
        for day, hosts in ((1, 12), (8, 8), (9, 6))
    },
    **_stand_ins("slow_hosts", b_pairs=partial(_map, _SLOW_HOSTS)),
    **_stand_ins("silent", b_pairs=_silent),
    **_stand_ins("as_fast", b_eff=Network(day=6).b_eff, b_pairs=partial(_map, Network(day=6))),
    **_stand_ins("slower", b_eff=_DAYS[6].b_eff, b_pairs=partial(_map, _DAYS[6])),
}


def make(path: Path, name: str) -> None:
    """Write a file of the table, of which some are programs."""
    content = FILES[name]()
    text = json.dumps(content) if isinstance(content, dict) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    path.chmod(0o755)
    os.utime(path, (NOW.timestamp(), NOW.timestamp()))
