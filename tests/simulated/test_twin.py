"""What is predicted from simulated results, against the simulation of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from beff.cli.twin.predict import grouped_hosts
from beff.result.b_eff_result import BEffResult
from beff.result.load import check_document
from beff.twin.groups import platform_text
from beff.twin.networks import parse_network
from beff.twin.platform import Platform, from_file
from beff.twin.self_test import self_test
from beff.twin.twin import Twin, twin_of
from beff.verify.b_eff.averages import figures_of
from beff.verify.b_eff.derive import measured_of
from simulated.support import needs_simgrid, run_b_eff, run_b_pairs

pytestmark = needs_simgrid

THIN = "two-switch:12,1.25GB/s,1us,backbone=1.25GB/s"
DEALT = [f"n{host // 2 + 6 * (host % 2)}" for host in range(12)]
LARGEST = 20


def measured_on(folder: Path, platform: Platform) -> tuple[Twin, BEffResult]:
    run = run_b_eff(folder, platform, platform.hosts, "--patterns", "0-39")
    document = check_document("b_eff", run)
    assert isinstance(document.result, BEffResult)
    pairs = check_document("b_pairs", run_b_pairs(folder, platform))
    return twin_of(document, pairs), document.result


def longest(folder: Path, platform: Platform) -> dict[int, float]:
    """MB/s at the longest messages by pattern, of hosts dealt out."""
    run = run_b_eff(folder, platform, DEALT, "--patterns", "0-8", "--sizes", str(LARGEST))
    result = check_document("b_eff", run).result
    assert isinstance(result, BEffResult)
    figures = figures_of(measured_of(result)).patterns
    return {p: figure.by_size[-1] or 0.0 for p, figure in figures.items()}


def test_a_placement_on_a_thin_backbone(tmp_path: Path) -> None:
    platform = parse_network(THIN).platform(12)
    twin, run = measured_on(tmp_path, platform)
    assert self_test(twin, run).passed
    there = [twin.ways.names.index(host) for host in DEALT]
    predicted = {p: float(twin.bandwidths(p, there)[-1]) for p in range(9)}
    assert longest(tmp_path, platform) == pytest.approx(predicted, rel=0.02)
    file = tmp_path / "twin.xml"
    file.write_text(platform_text(grouped_hosts(twin)))
    assert longest(tmp_path, from_file(file)) == pytest.approx(predicted, rel=0.02)


@pytest.mark.parametrize("network", ["torus:4x4x1", "fat-tree:4x4x4", "dragonfly:2x2x4x1"])
def test_what_it_does_not_understand_is_refused(tmp_path: Path, network: str) -> None:
    platform = parse_network(f"{network},1.25GB/s,1us").platform(16)
    assert not self_test(*measured_on(tmp_path, platform)).passed
