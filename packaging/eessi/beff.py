"""Check for the EESSI test suite: b_eff of modules named beff is valid, at each scale.

docs/how-to/sites.md shows how to use it.
"""

import json
from pathlib import Path
from typing import Any

import reframe as rfm
import reframe.utility.sanity as sn
from eessi.testsuite.constants import COMPUTE_UNITS, DEVICE_TYPES, SCALES
from eessi.testsuite.eessi_mixin import EESSI_Mixin
from eessi.testsuite.utils import find_modules
from reframe.core.builtins import (
    deferrable,
    parameter,
    performance_function,
    run_after,
    sanity_function,
)


def _scales() -> list[str]:
    """Return the scales with two processes or more."""
    return [
        name
        for name, scale in SCALES.items()
        if scale.get("num_cpus_per_node") != 1 or scale["num_nodes"] > 1
    ]


@rfm.simple_test
class EESSI_beff(rfm.RunOnlyRegressionTest, EESSI_Mixin):  # type: ignore[misc]  # noqa: N801
    """Effective communication bandwidth, one process per core."""

    descr = "effective communication bandwidth (b_eff)"
    time_limit = "45m"
    scale = parameter(_scales())
    device_type = DEVICE_TYPES.CPU
    compute_unit = COMPUTE_UNITS.CPU
    module_info = parameter(find_modules("beff"))
    readonly_files = [""]  # noqa: RUF012 - a variable of ReFrame
    executable = "b_eff"
    executable_opts = [*["--output", "b_eff", "--memory-per-process", "512MiB"]]  # noqa: RUF012

    def required_mem_per_node(self) -> float:
        """Return MiB: buffers of the processes and what their MPI library takes."""
        return float(self.num_tasks_per_node * 768 + 512)

    @run_after("init")
    def keep_results(self) -> None:
        """Keep what the program leaves."""
        self.keep_files = ["b_eff.json", "b_eff.txt", "b_eff.journal.jsonl"]

    @deferrable
    def result(self) -> dict[str, Any]:
        """Return the result."""
        found: dict[str, Any] = json.loads(
            Path(self.stagedir, "b_eff.json").read_text(encoding="utf-8")
        )
        return found

    @sanity_function
    def valid(self) -> Any:
        """Pass a valid result of the processes and nodes asked for."""
        result = self.result()
        return sn.all(
            [
                sn.assert_true(result["valid"], "the run is not valid for comparison"),
                sn.assert_eq(result["environment"]["processes"], self.num_tasks),
            ]
        )

    @performance_function("MB/s")
    def b_eff(self) -> Any:
        """Return the value."""
        return self.result()["summary"]["b_eff_MBps"]

    @performance_function("us")
    def latency(self) -> Any:
        """Return the latency in rings."""
        return self.result()["summary"]["latency_us"]
