"""Checks for ReFrame 4.10 or newer: b_eff and b_eff_io pass where they are valid and verified.

See docs/how-to/sites.md.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

import reframe as rfm
import reframe.utility.sanity as sn
import reframe.utility.typecheck as typ
import yaml
from reframe.core.builtins import parameter, run_after, run_before, sanity_function, variable
from reframe.core.exceptions import PerformanceError, PipelineError

UNITS = {"_MBps": "MB/s", "_us": "us"}
"""Figures of the summary that are reported: the end of the name, and its unit."""


class BeffCheck(rfm.RunOnlyRegressionTest):  # type: ignore[misc]
    """What both checks share. The name of a check is that of its benchmark and program."""

    valid_systems = ["*"]  # noqa: RUF012 - a variable of ReFrame
    valid_prog_environs = ["*"]  # noqa: RUF012
    exclusive_access = True

    nodes = parameter([1, 2, 4, 8, 16])
    tasks_per_node = variable(int, value=0)
    """Processes on each node; 0 for one on each core in the configuration."""
    options = variable(typ.List[str], value=[])
    """More options of the measuring program."""
    companion = variable(str, value="beff")
    """The companion, which verifies the result where ReFrame itself runs."""
    expectations = variable(str, value="")
    """A file of `beff expect`, whose references then must be met."""

    @run_after("init")
    def leave_out_local_partitions(self) -> None:
        """Run on several nodes only where a scheduler gives them.

        What is skipped later than here would stand in ReFrame's JUnit file like what passed.
        """
        if self.nodes > 1:
            partitions = self.current_system.partitions
            self.valid_systems = [one.fullname for one in partitions if not one.scheduler.is_local]

    @run_after("setup")
    def ask_for_processes(self) -> None:
        """Fill the nodes."""
        partition = self.current_partition
        self.num_tasks_per_node = self.tasks_per_node or partition.processor.num_cores
        if not self.num_tasks_per_node:
            raise PipelineError(f"cores of {partition.fullname} not known: -S tasks_per_node=N")
        self.num_tasks = self.nodes * self.num_tasks_per_node

    @run_after("setup")
    def make_command(self) -> None:
        """Start the program of the check's own name, and keep what it leaves."""
        name = type(self).__name__
        self.executable = name
        self.executable_opts = ["--output", name, *self.own_options(), *self.options]
        self.keep_files = [f"{name}.json", f"{name}.txt", f"{name}.journal.jsonl"]

    def own_options(self) -> list[str]:
        """Return the options of the program that the check itself sets."""
        return []

    def result_file(self) -> Path:
        """Return the file in which the program leaves its result."""
        return Path(self.stagedir) / f"{type(self).__name__}.json"

    def result(self) -> dict[str, Any]:
        """Return the result."""
        found: dict[str, Any] = json.loads(self.result_file().read_text(encoding="utf-8"))
        return found

    def disagreement(self) -> str:
        """Return what the companion says is wrong with the result; nothing where it agrees."""
        command = [self.companion, "verify", str(self.result_file())]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as problem:
            return f"{self.companion}: {problem.strerror}"
        return "" if done.returncode == 0 else f"{done.stdout}{done.stderr}".strip()

    @sanity_function
    def valid_and_verified(self) -> Any:
        """Pass a valid, verified result of the processes and nodes asked for, and nothing else."""
        if not self.result_file().exists():
            return sn.assert_true(False, f"{self.result_file().name} was not written")
        result = self.result()
        wrong = [
            f"not valid: {rule['name']}: {rule['found']}, required {rule['required']}"
            for rule in result["criteria"]
            if not rule["met"]
        ]
        measured = (result["environment"]["processes"], result["environment"]["nodes"])
        if measured != (self.num_tasks, self.nodes):
            wrong.append(
                f"measured with {measured[0]} processes on {measured[1]} nodes,"
                f" not {self.num_tasks} on {self.nodes}"
            )
        disagreement = self.disagreement()
        if disagreement:
            wrong.append(f"not verified: {disagreement}")
        return sn.assert_true(result["valid"] and not wrong, "\n".join(wrong) or "not valid")

    @run_before("performance")
    def take_figures(self) -> None:
        """Report the bandwidths and times of the summary, and expect what the file says of them."""
        result = self.result()
        for name, value in result["summary"].items():
            unit = next((unit for end, unit in UNITS.items() if name.endswith(end)), None)
            if unit is not None and value is not None:
                figure = sn.make_performance_function(sn.defer(value), unit)
                self.perf_variables[name] = figure
        if self.expectations:
            self.reference = {"*": self.expected_of(result)}

    def expected_of(self, result: dict[str, Any]) -> dict[str, Any]:
        """Return the references for this result; there must be some, and of figures it has."""
        content = yaml.safe_load(Path(self.expectations).read_text(encoding="utf-8"))
        environment = result["environment"]
        references = {
            name: tuple(reference)
            for one in content["expectations"]
            if one["benchmark"] == result["benchmark"]
            and one.get("processes") in {None, environment["processes"]}
            and one.get("nodes") in {None, environment["nodes"]}
            for name, reference in one["reference"].items()
        }
        unknown = sorted(set(references) - set(self.perf_variables))
        if unknown or not references:
            what = ", ".join(unknown) or "anything for this number of processes and nodes"
            raise PerformanceError(f"{self.expectations} and the result do not both have {what}")
        return references


@rfm.simple_test
class b_eff(BeffCheck):  # noqa: N801 - the program's name
    """Effective communication bandwidth."""

    descr = "effective communication bandwidth"
    time_limit = "45m"

    def own_options(self) -> list[str]:
        """Refuse to measure on other nodes than those asked for."""
        return ["--nodes", str(self.nodes)]


@rfm.simple_test
class b_eff_io(BeffCheck):  # noqa: N801 - the program's name
    """Effective bandwidth of parallel file I/O."""

    descr = "effective bandwidth of parallel file I/O"
    time_limit = "1h"

    path = variable(str, value="")
    """Folder on the file system to be measured, seen by all nodes."""

    @run_after("init")
    def ask_for_path(self) -> None:
        """Measure no file system that nobody named."""
        self.skip_if(not self.path, "no file system is named: -S b_eff_io.path=DIR")

    def own_options(self) -> list[str]:
        """Measure on the file system that was named."""
        return ["--path", self.path]
