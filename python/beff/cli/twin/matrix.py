"""`beff twin matrix`."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from beff.charts.maps import matrix_chart
from beff.cli.common import exit_codes
from beff.cli.common.options import SIZE, Quantity, argument, flag, option, overwrite_flag, taking
from beff.cli.common.rich_tables import print_line, print_table
from beff.cli.common.say import say
from beff.maps.matrix import (
    MOST_BYTES,
    PRESET_BYTES,
    PRESETS,
    is_preset,
    preset_matrix,
    read_matrix,
)
from beff.maps.network_text import (
    ShownMatrix,
    about_matrix,
    matrix_sentences,
    shown_matrix,
)
from beff.maps.traffic import source_name
from beff.report.pictures import draw
from beff.report.tables.matrix import group_table, matrix_tables
from beff.report.tables.table import Table
from beff.result.errors import ResultError, WrongUsageError
from beff.result.load import as_b_pairs, load_document
from beff.result.strict_json import GZIP_SUFFIX, read_raw
from beff.result.write import check_apart, made_whole, require_free
from beff.twin.limit import run_beside
from beff.twin.matrix_time import said_of_matrix
from beff.twin.ways import ways_of
from beff.verify.b_eff.definition import LARGEST_SEED
from beff.verify.subject import require_sound_structure


@dataclass(frozen=True, kw_only=True)
class _Options:
    source: str = argument(
        "RESULT|FILE|PRESET", f"Result of b_pairs, a file of messages, or {PRESETS}."
    )
    processes: int | None = option(
        "N",
        "Number of processes, of a file or preset.",
        names="--processes -n",
        otherwise="as the file says",
    )
    per_host: int | None = option(
        "N",
        "So many ranks after the other stand on a host, of a file or preset.",
        otherwise="all on one",
    )
    message_size: Quantity | None = option(SIZE, "Messages of a preset.", otherwise="64KiB")
    seed: int = option("N", "Seed of moe:K.", default=1)
    output: Path | None = option(
        "FILE", "Draw it as a map of squares.", names="--output -o", otherwise="no drawing"
    )
    no_title: bool = flag("Draw without title and caption, for a paper.")
    overwrite: bool = overwrite_flag()


@taking(_Options)
def matrix(given: _Options) -> int:
    """Show which messages a matrix has, or what b_pairs --matrix measured.

    Totals of each host, or of each process where all are on one, the heaviest pairs, and a drawing.
    Of a result also what crosses the uplinks that its map shows and, with a run of b_eff on the
    same hosts beside it, the time that is predicted.

    Examples:
      beff twin matrix maps/mine.json -o mine.svg
      beff twin matrix halo:3d -n 512 --per-host 32
      beff twin matrix iteration.txt --per-host 32
    """
    if given.output is not None:
        if given.output.suffix.lower() != ".svg":
            raise WrongUsageError(
                f"--output {given.output}: a drawing is SVG; end its name in .svg"
            )
        require_free(given.output, overwrite=given.overwrite, option="--output")
    sentences: list[str] = []
    groups: Table | None = None
    if _is_result(given.source):
        for name, value in (
            ("--processes", given.processes),
            ("--per-host", given.per_host),
            ("--message-size", given.message_size),
        ):
            if value is not None:
                raise WrongUsageError(f"{name} {value}: goes with a file or preset, not a result")
        shown, sentences, groups = _of_result(Path(given.source))
    else:
        shown = _of_pattern(given)
    print_line(about_matrix(shown))
    for sentence in sentences:
        print_line(sentence)
    totals, pairs = matrix_tables(shown)
    for table in (totals, *([] if groups is None else [groups]), pairs):
        print_table(table)
    if given.output is not None:
        if not is_preset(given.source):
            check_apart({"--output": given.output}, [Path(given.source)])
        with made_whole(given.output) as made:
            draw([matrix_chart(shown)], made, shown.name, titled=not given.no_title)
        say(f"{given.output}: the matrix {shown.name}")
    return exit_codes.OK


def _is_result(given: str) -> bool:
    """Whether a file begins as JSON does, or is packed as results are."""
    if is_preset(given):
        return False
    path = Path(given)
    try:
        return path.suffix == GZIP_SUFFIX or read_raw(path, 64).lstrip().startswith(b"{")
    except ResultError:
        return path.suffix == ".json"


def _of_result(path: Path) -> tuple[ShownMatrix, list[str], Table | None]:
    document = load_document(path)
    result = as_b_pairs(document)
    require_sound_structure(document)
    asked = result.plan.matrix
    if asked is None:
        raise ResultError("has no measured matrix; b_pairs --matrix FILE does", path)
    shown = shown_matrix(result)
    if shown is None:
        raise ResultError(
            f"its {asked.rows} rows are too many to be kept or shown; show"
            f" {asked.source} instead, or fewer processes",
            path,
        )
    sentences = list(matrix_sentences(result))
    if shown.unit != "host":
        return shown, sentences, None
    run = run_beside(document)
    if run is not None:
        took_us = result.summary.matrix_us
        sentences.append(said_of_matrix(document, run, shown.matrix, took_us))
    return shown, sentences, group_table(shown, ways_of(result))


def _of_pattern(given: _Options) -> ShownMatrix:
    processes, per_host, message_size = given.processes, given.per_host, given.message_size
    if processes is not None and processes < 2:
        raise WrongUsageError(f"--processes {processes}: give at least 2")
    if per_host is not None and per_host < 1:
        raise WrongUsageError(f"--per-host {per_host}: give at least 1")
    if not 0 <= given.seed <= LARGEST_SEED:
        raise WrongUsageError(f"--seed {given.seed}: give a number from 0 to {LARGEST_SEED}")
    if is_preset(given.source):
        if processes is None:
            raise WrongUsageError(f"{given.source}: is a preset; say of how many processes by -n")
        size = PRESET_BYTES if message_size is None else int(message_size.value)
        if not 1 <= size <= MOST_BYTES:
            raise WrongUsageError(f"--message-size {message_size}: give 1 to {MOST_BYTES} byte")
        found = preset_matrix(given.source, processes, size, given.seed)
    else:
        if message_size is not None:
            raise WrongUsageError(f"--message-size {message_size}: goes with a preset")
        found = read_matrix(Path(given.source), processes)
    if per_host is None or per_host >= found.processes:
        ranks = np.arange(found.processes)
        names = [f"rank {rank}" for rank in range(found.processes)]
        return ShownMatrix(source_name(given.source), found, ranks, names, "process")
    hosts = np.arange(found.processes) // per_host
    names = [f"host {host}" for host in range(int(hosts[-1]) + 1)]
    return ShownMatrix(source_name(given.source), found, hosts, names, "host")
