"""The dashboard on a real Prometheus, which scrapes a real node_exporter."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.fleet_folder import map_fields, write_map

from beff.cli.app import main

ROOT = Path(__file__).resolve().parents[2]
RESULTS = [ROOT / "tests/data/b_eff_2p_valid.json", ROOT / "tests/data/b_eff_io_short.json"]
DASHBOARD = json.loads((ROOT / "packaging/monitoring/grafana.json").read_text(encoding="utf-8"))
STARTS_WITHIN_S = 60
PROMETHEUS, EXPORTER = shutil.which("prometheus"), shutil.which("prometheus-node-exporter")
pytestmark = pytest.mark.skipif(
    not (PROMETHEUS and EXPORTER),
    reason="no Prometheus (Debian: apt install prometheus prometheus-node-exporter)",
)
HOSTS = [f"n{host}" for host in range(1, 9)]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def ask(server: str, query: str) -> list[dict[str, Any]]:
    """Return what a query finds; it must be one that Prometheus accepts."""
    url = f"{server}/api/v1/query?{urllib.parse.urlencode({'query': query})}"
    with urllib.request.urlopen(url, timeout=20) as answer:
        fields = json.load(answer)
    assert fields["status"] == "success", fields
    found: list[dict[str, Any]] = fields["data"]["result"]
    return found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Prometheus on loopback that has scraped the metrics of results and of a fleet once."""
    folder = tmp_path_factory.mktemp("prometheus")
    (folder / "text").mkdir()
    main(["check", *map(str, RESULTS), "--openmetrics", str(folder / "text/beff.prom")])
    for days_ago in (2, 1):
        fields = map_fields(HOSTS, days_ago, slow={"n3": 1.4}, seed=days_ago)
        write_map(folder / "maps", fields)
    fleet = ["--fleet", str(folder / "maps"), "--show", "-o", str(folder / "text/beff_fleet.prom")]
    main(["nodes", *fleet])
    exporter_port, port = free_port(), free_port()
    (folder / "prometheus.yml").write_text(
        "global: {scrape_interval: 1s}\nscrape_configs:\n- job_name: node\n"
        f"  static_configs: [{{targets: ['127.0.0.1:{exporter_port}']}}]\n",
        encoding="utf-8",
    )
    commands: list[list[str]] = [
        [
            *(str(EXPORTER), f"--web.listen-address=127.0.0.1:{exporter_port}"),
            *("--collector.disable-defaults", "--collector.textfile"),
            f"--collector.textfile.directory={folder / 'text'}",
        ],
        [
            *(str(PROMETHEUS), f"--config.file={folder / 'prometheus.yml'}"),
            *(f"--storage.tsdb.path={folder / 'data'}", f"--web.listen-address=127.0.0.1:{port}"),
        ],
    ]
    with (folder / "log").open("wb") as log:
        running = [subprocess.Popen(each, stdout=log, stderr=log) for each in commands]
    try:
        yield wait_for_samples(f"http://127.0.0.1:{port}", folder / "log")
    finally:
        for each in running:
            each.terminate()
        for each in running:
            each.wait(timeout=60)


def wait_for_samples(address: str, log: Path) -> str:
    until = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < until:
        try:
            if ask(address, "beff_check_verdict"):
                return address
        except (urllib.error.URLError, ConnectionError):
            pass
        time.sleep(0.5)
    raise AssertionError(log.read_text(encoding="utf-8", errors="replace"))


def test_every_panel_of_the_dashboard_finds_something(server: str) -> None:
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            assert ask(server, target["expr"]), f"{panel['title']}: {target['expr']}"


def test_the_dashboard_names_the_slow_host(server: str) -> None:
    (table,) = (panel for panel in DASHBOARD["panels"] if panel["type"] == "table")
    found = ask(server, table["targets"][0]["expr"])
    assert [each["metric"]["host"] for each in found] == ["n3"]


def test_the_exporter_took_the_file_without_an_error(server: str) -> None:
    (error,) = ask(server, "node_textfile_scrape_error")
    assert error["value"][1] == "0"


def test_figures_arrive_in_base_units(server: str) -> None:
    summary = json.loads(RESULTS[0].read_text(encoding="utf-8"))["summary"]
    (value,) = ask(server, 'beff_bandwidth_bytes_per_second{benchmark="b_eff",figure="b_eff"}')
    assert float(value["value"][1]) == pytest.approx(summary["b_eff_MBps"] * 1e6)
    (latency,) = ask(server, 'beff_latency_seconds{figure="latency"}')
    assert float(latency["value"][1]) == pytest.approx(summary["latency_us"] * 1e-6)
