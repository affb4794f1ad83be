"""One run of Linpack in a folder of its own."""

from collections.abc import Callable
from pathlib import Path

from beff.launch.errors import LaunchError
from beff.launch.process import run_to_end
from beff.linpack.output import parse_linpack
from beff.linpack.program import Linpack
from beff.linpack.size import LinpackSize
from beff.model.result_parts import RMax
from beff.model.strict_json import read_text


def run_linpack(
    linpack: Linpack, size: LinpackSize, folder: Path, look: Callable[[], None]
) -> RMax:
    """Write the input, run, and return what the output says; its files stay in the folder.

    `look` is called twice a second. Raises LaunchError when the program fails, ResultError when its
    output does not give R_max.
    """
    processes = size.p * size.q
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / linpack.kind.output_name
    output.unlink(missing_ok=True)  # hpcc appends
    text = linpack.kind.write_input(size)
    (folder / linpack.kind.input_name).write_text(text, encoding="utf-8")
    ended = run_to_end(linpack.command(processes), look, folder=folder)
    if ended.stopped_by is not None:
        raise LaunchError(f"{linpack.kind.name} was stopped by {ended.stopped_by.name}")
    if ended.exit_code != 0 or not output.exists():
        last = f": {ended.error_lines[-1]}" if ended.error_lines else ""
        raise LaunchError(
            f"{linpack.kind.name} with {processes} processes, started by {linpack.launcher.path},"
            f" ended with exit code {ended.exit_code} and left no result{last}"
        )
    return parse_linpack(str(output), output.name, read_text(output))
