"""`beff figure`."""

from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Annotated

from beff.analysis.b_eff.definition import LARGEST_SEED, Draw
from beff.analysis.b_pairs.pair_map import pair_map
from beff.analysis.check.hosts import check_hosts
from beff.analysis.subject import require_sound_structure
from beff.charts.common.theme import PAPER, Theme
from beff.cli.common import exit_codes
from beff.cli.common.options import OverwriteOption, argument, flag, option
from beff.cli.common.say import say
from beff.drawings.canvas import MOST_PROCESSES
from beff.drawings.files import draw_files
from beff.drawings.network import draw_bisection, draw_per_host, has_bisection, has_per_host
from beff.drawings.pair_map import draw_pair_map
from beff.drawings.patterns import draw_patterns
from beff.model.errors import ResultError, WrongUsageError
from beff.model.load import as_b_pairs, load_document
from beff.model.write import check_apart, require_free, write_atomically


class Drawing(str, Enum):
    """What can be drawn, the first two without a result."""

    PATTERNS = "patterns"
    FILES = "files"
    PAIRS = "pairs"
    BISECTION = "bisection"
    PER_HOST = "per-host"


_OF_RESULTS = {Drawing.PAIRS, Drawing.BISECTION, Drawing.PER_HOST}


def figure(  # noqa: PLR0917 - one parameter per option of the command
    drawing: Annotated[
        Drawing,
        argument(
            "patterns|files|pairs|bisection|per-host",
            "The communication patterns of b_eff, the file layouts of b_eff_io, or of a result of"
            " b_pairs the map, the bisection or the rates by processes per host.",
        ),
    ],
    result: Annotated[Path | None, option("--result", "FILE", "Result of b_pairs to draw.")] = None,
    processes: Annotated[
        int, option("--processes -n", "N", f"Number of processes, at most {MOST_PROCESSES}.")
    ] = 7,
    seed: Annotated[int, option("--seed", "N", "Seed of the random rings.")] = 1,
    output: Annotated[
        Path | None,
        option("--output -o", "FILE", "The drawing.", default="beff_patterns_7p.svg and the like"),
    ] = None,
    no_title: Annotated[
        bool, flag("--no-title", "Draw without title and caption, for a paper.")
    ] = False,
    overwrite: OverwriteOption = False,
) -> int:
    """Draw communication patterns, file layouts, or what b_pairs measured, as SVG.

    Rings, random rings, cycle, bisections and grids of b_eff, or what a call of each pattern type
    of b_eff_io moves and where it lies in the files.

    \b
    Examples:
      beff figure patterns -n 12
      beff figure files -n 16 -o layouts.svg
      beff figure pairs --result results/b_pairs_64p.json
      beff figure bisection --result results/b_pairs_64p.json -o bisection.svg
    """  # noqa: D301 - \b keeps the lines of the examples apart
    least = 2 if drawing is Drawing.PATTERNS else 1
    if not least <= processes <= MOST_PROCESSES:
        raise WrongUsageError(
            f"--processes {processes}: give a number from {least} to {MOST_PROCESSES}"
        )
    if not 0 <= seed <= LARGEST_SEED:
        raise WrongUsageError(f"--seed {seed}: give a number from 0 to {LARGEST_SEED}")
    if (result is None) == (drawing in _OF_RESULTS):
        names = ", ".join(one.value for one in Drawing if one in _OF_RESULTS)
        raise WrongUsageError(f"--result goes with the drawings {names}, which need it")
    plain = Path(f"beff_{drawing.value}_{processes}p.svg")
    if result is not None:
        of_more = "" if drawing is Drawing.PAIRS else f"_{drawing.value}"
        plain = result.with_name(f"{result.stem}{of_more}.svg")
    target = output or plain
    if target.suffix.lower() != ".svg":
        raise WrongUsageError(f"--output {target}: a drawing is SVG; end its name in .svg")
    require_free(target, overwrite=overwrite, option="--output")
    theme = replace(PAPER, headed=not no_title)
    what = f"the {drawing.value} with {processes} processes"
    if result is not None:
        check_apart({"--output": target}, [result])
        drawn, what = _of_result(drawing, result, theme), f"{_NAMES[drawing]} of {result}"
    elif drawing is Drawing.PATTERNS:
        drawn = draw_patterns(processes, Draw(seed), theme)
    else:
        drawn = draw_files(processes, theme)
    write_atomically(target, drawn, overwrite=overwrite)
    say(f"{target}: {what}")
    return exit_codes.OK


_NAMES = {
    Drawing.PAIRS: "the map of pairs",
    Drawing.BISECTION: "the bisection",
    Drawing.PER_HOST: "the rates by processes per host",
}


def _of_result(drawing: Drawing, path: Path, theme: Theme) -> str:
    """Draw what a result has. Raises ResultError for one without it."""
    document = load_document(path)
    result = as_b_pairs(document)
    require_sound_structure(document)
    if drawing is Drawing.PAIRS:
        bad = check_hosts(document).bad_hosts
        return draw_pair_map(pair_map(result), theme, bad)
    has, draw = {
        Drawing.BISECTION: (has_bisection, draw_bisection),
        Drawing.PER_HOST: (has_per_host, draw_per_host),
    }[drawing]
    if not has(result):
        raise ResultError(
            f"{path}: has no measured {drawing.value}; b_pairs --{drawing.value} does"
        )
    return draw(result, theme)
