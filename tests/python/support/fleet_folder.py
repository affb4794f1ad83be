"""A folder of maps of some hosts each, as `beff nodes --fleet` keeps them."""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from slow_hosts.machine import BOTH, Fault

from beff.result.host_list import fold_host_list
from support.machines.measure import CALM, flat
from support.machines.result import derived, underived_map
from support.programs.programs import write_script
from support.reports import ROOT


def map_fields(
    names: Sequence[str],
    days_ago: float,
    slow: Mapping[str, float] | None = None,
    seed: int = 1,
    kinds: tuple[str, ...] = BOTH,
) -> dict[str, Any]:
    """Return the map of some hosts, of which some take so many times as long for some messages."""
    faults = [
        Fault(factor, hosts=(names.index(name),), kinds=kinds)
        for name, factor in (slow or {}).items()
        if name in names
    ]
    fields = underived_map(flat(len(names), faults=faults, **CALM), seed)
    for host, name in zip(fields["environment"]["hosts"], names, strict=True):
        host["name"] = name
    fields["environment"]["host_list"] = fold_host_list(names)
    when = datetime.now(timezone.utc) - timedelta(days=days_ago)
    for moment, later_s in (("started_at", 0), ("finished_at", 60)):
        at = when + timedelta(seconds=later_s)
        fields["environment"][moment] = f"{at:%Y-%m-%dT%H:%M:%SZ}"
    return derived(fields)


def write_map(folder: Path, fields: Mapping[str, Any]) -> Path:
    """Write it as a run of its own does."""
    place = folder / fields["environment"]["started_at"].replace(":", "")
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"b_pairs_{len(fields['environment']['hosts'])}p.json"
    path.write_text(json.dumps(fields))
    return path


_BEFF = """\
import json, os, sys
from pathlib import Path
sys.path[:] = {path}
from beff.cli.app import main
from beff.result.host_list import expand_host_list
from support.fleet_folder import map_fields, write_map
words = sys.argv[1:]
if "--show" not in words:
    maps = Path(words[words.index("--fleet") + 1])
    names = sorted(expand_host_list(os.environ["SLURM_JOB_NODELIST"], 100))
    assert words[1:3] == ["--processes", str(len(names))]
    words[1:3] = ["--show"]
    slow = json.loads((maps.parent / "slow").read_text())
    write_map(maps, map_fields(names, 0.01, slow, seed=1 + len(list(maps.iterdir()))))
sys.exit(main(words))
"""


def write_beff(folder: Path) -> None:
    """Write a stand-in for beff that in a job makes up the map of its nodes.

    Beside the maps `slow` holds which nodes take how many times as long.
    """
    write_script(folder / "beff", _BEFF.format(path=sys.path))


def require_dashboard(file: Path) -> None:
    """Require that the dashboard asks for metrics and states that a file of a fleet has."""
    text = file.read_text("utf-8")
    dashboard = json.loads((ROOT / "packaging/monitoring/grafana.json").read_text("utf-8"))
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    metrics = {name for query in queries for name in re.findall(r"beff_\w+", query)}
    assert metrics
    assert metrics <= set(re.findall(r"^# TYPE (\w+) gauge$", text, re.MULTILINE))
    (states,) = re.findall(r'state=~"(.*?)"', " ".join(queries))
    assert [state for state in states.split("|") if f'state="{state}"' not in text] == []
