"""`beff twin topology`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

import numpy as np

from beff.cli.common import exit_codes
from beff.cli.common.files import name_left_out
from beff.cli.common.options import argument, option, overwrite_flag, taking
from beff.cli.common.rich_tables import print_line
from beff.cli.common.say import warn
from beff.cli.host_lists import hosts_of, odd_text
from beff.judge.fleet import usable_maps
from beff.maps.joined import Joined, joined, met_most
from beff.maps.nested import FEWEST_HOSTS, Nested, nested
from beff.maps.pair_map import Mask, pair_map
from beff.maps.topology_text import said_of, topology_text
from beff.result.errors import ResultError, WrongUsageError
from beff.result.load import Document, as_b_pairs
from beff.result.numbers import counted, percent
from beff.result.write import require_free, write_atomically
from beff.verify.common.checks import fold_host_list
from beff.verify.subject import load_sound

_CONF, _YAML = {".conf"}, {".yaml", ".yml"}


@dataclass(frozen=True, kw_only=True)
class _Options:
    maps: list[Path] = argument("MAP...", "Results of b_pairs, or folders with some.")
    output: Path | None = option(
        "FILE",
        "Write them for Slurm: topology.conf, or FILE.yaml for 25.05 on.",
        names="--output -o",
    )
    overwrite: bool = overwrite_flag()


@taking(_Options)
def topology(given: _Options) -> int:
    """Find which hosts are behind the same switch, by maps of pairs, and write it for Slurm.

    Maps of any of the hosts add up. Nothing is written where no switches within switches explain
    the pairs, as on a torus or a dragonfly; a host of which it is not sure is left out (code 3).

    Examples:
      beff twin topology maps
      beff twin topology maps -o topology.conf
      beff twin topology monday/b_pairs_64p.json tuesday/b_pairs_64p.json -o topology.yaml
    """
    if given.output is not None:
        if given.output.suffix not in _CONF | _YAML:
            raise WrongUsageError(
                f"--output {given.output}: must end in .conf or .yaml, as Slurm's files"
            )
        require_free(given.output, overwrite=given.overwrite, option="--output")
    found_in = load_sound(given.maps, left_out=name_left_out)
    maps, left_out = usable_maps(found_in, datetime.now(timezone.utc))
    for sentence in left_out:
        warn(f"beff: {sentence}; it is left out")
    pairs = joined([pair_map(as_b_pairs(one)) for one in maps])
    pairs = replace(pairs, names=_slurm_names(pairs.names, maps))
    seen, unknown = _seen(pairs)
    said = [*([] if seen is None else said_of(seen)), *unknown]
    for line in said:
        print_line(line)
    if seen is not None and given.output is not None:
        odd = odd_text(seen.names)
        if odd is not None:
            raise ResultError(f"no file of Slurm's can be written, as {odd}")
        text = topology_text(seen, _source(maps), said, is_yaml=given.output.suffix in _YAML)
        write_atomically(given.output, text, overwrite=given.overwrite)
        print_line(f"{given.output}: written")
    return exit_codes.NOT_VALID if unknown else exit_codes.OK


def _seen(pairs: Joined) -> tuple[Nested | None, list[str]]:
    """Return the switches where they are sure, and what is not known."""
    here, unknown = met_most(pairs), []
    if not here.all():
        unknown = [f"not known where {_listed(pairs.names, ~here)} is: too few others were met"]
    if here.sum() < FEWEST_HOSTS:
        few = counted(int(here.sum()), "host")
        return None, [f"not known: {few} met half of each other, and it takes {FEWEST_HOSTS}"]
    seen = nested(pairs.of(here))
    if not seen.is_told:
        return None, ["not known: too few pairs met twice; more maps tell", *unknown]
    if not seen.explains:
        rest = percent(seen.left_over, 1)
        why = f"beside what explains most, times differ by {rest}, which is no chance"
        return None, [f"no groups explain these pairs: {why}", *unknown]
    if not seen.is_known:
        return None, [
            "not known: most hosts are as near to other switches; more maps tell",
            *unknown,
        ]
    if not seen.placed.all():
        names = _listed(seen.names, ~seen.placed)
        unknown.append(f"not known where {names} is: it may as well be behind another switch")
    return seen, unknown


def _listed(names: Sequence[str], which: Mask) -> str:
    return fold_host_list(np.array(names)[which].tolist())


def _slurm_names(names: Sequence[str], maps: Sequence[Document]) -> tuple[str, ...]:
    """Return the names that Slurm has for hosts, where it has others."""
    own = {host.name: host.node for one in maps for host in hosts_of(one)}
    return tuple(own[name] or name for name in names)


def _source(maps: Sequence[Document]) -> str:
    first, last = (f"{one.started_at:%Y-%m-%d %H:%M} UTC" for one in (maps[0], maps[-1]))
    if len(maps) == 1:
        return f"{Path(maps[0].source).name} of {first}"
    return f"{len(maps)} maps from {first} to {last}"
