"""Checks of what all results have: the environment, and counts of checked data."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, product
from math import prod
from typing import Any

from beff.result.bounds import moment_of
from beff.result.environment import Environment
from beff.verify.common.verification import RELATIVE_TOLERANCE, Recheck

_DIGITS = 18
"""Digits of the number of a host; more are no number of one."""
MOST_HOSTS = 10**6
_LONGEST_NAME = 1000
"""Characters; a host has no longer one."""
_BRACKETS = re.compile(r"\[([^\[\]]+)\]")
_RANGE = re.compile(r"(\d+)(?:-(\d+))?", re.ASCII)
_NUMBER = re.compile(r"(\d+)")


def number_key(name: str) -> list[tuple[int, str]]:
    """Return by what names are sorted: n2 stands before n10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _NUMBER.split(name)]


def _parts(text: str) -> Iterator[str]:
    """Part a list at commas outside of brackets, in one pass; empty parts are left out."""
    begin, inside = 0, False
    for place, letter in enumerate(text):
        if letter == "," and not inside:
            if place > begin:
                yield text[begin:place]
            begin = place + 1
        elif letter in "[]":
            inside = letter == "["
    if begin < len(text):
        yield text[begin:]


def expand_host_list(text: str, most: int = MOST_HOSTS) -> list[str]:
    """Take a compressed list apart: node[001-002,7],login names node001, node002, node7, login.

    Of several brackets the last changes fastest: r[1-2]c[0-1] names r1c0, r1c1, r2c0, r2c1. A part
    with anything but ranges in its brackets is a name as it stands. Stops soon after `most` names:
    a file that nobody checked yet may claim any number of them.
    """
    names: list[str] = []
    for part in _parts(text):
        pieces = _pieces(part)
        if pieces is None:
            names.append(part)
        else:
            texts, ranges = pieces
            some = ([*islice(_numbers(each), most + 1)] for each in ranges)
            for numbers in islice(product(*some), most + 1):
                names.append("".join(chain(*zip(texts, (*numbers, ""), strict=True))))
        if len(names) > most:
            break
    return names


def hosts_in_list(text: str) -> int:
    """Return how many names a compressed list has, without making them."""
    found = (_pieces(part) for part in _parts(text))
    return sum(
        1
        if pieces is None
        else prod(sum(len(numbers) for _, numbers in each) for each in pieces[1])
        for pieces in found
    )


def is_host_list(text: str) -> bool:
    """Whether all brackets of a list hold ranges; else what holds another is a name as it is."""
    return not any({*"[]"} & {*part} and _pieces(part) is None for part in _parts(text))


_Ranges = list[tuple[int, range]]
"""What stands between brackets: of each range how many digits it is written with, its numbers."""


def _pieces(part: str) -> tuple[list[str], list[_Ranges]] | None:
    """Return the texts around brackets and what is in these; None for a plain name."""
    parted = _BRACKETS.split(part)
    texts, inside = parted[::2], parted[1::2]
    if not inside or sum(map(len, texts)) > _LONGEST_NAME or {*"[]"} & {*"".join(texts)}:
        return None
    ranges = [[_range(piece) for piece in each.split(",")] for each in inside]
    is_list = all(numbers for each in ranges for _, numbers in each)
    return (texts, ranges) if is_list else None


def _range(piece: str) -> tuple[int, range]:
    """Return a range; an empty one for what is none."""
    numbers = _RANGE.fullmatch(piece)
    if numbers is None or len(numbers[1]) > _DIGITS or len(numbers[2] or "") > _DIGITS:
        return 0, range(0)
    return len(numbers[1]), range(int(numbers[1]), int(numbers[2] or numbers[1]) + 1)


def _numbers(ranges: _Ranges) -> Iterator[str]:
    """Yield the numbers as they are written."""
    return (f"{number:0{digits}}" for digits, numbers in ranges for number in numbers)


def fold_host_list(names: Sequence[str]) -> str:
    """Write names of the same stem with their numbers as ranges: the inverse of the above."""
    parts: list[tuple[str, list[tuple[str, str]]]] = []
    for name in names:
        number = name[len(name.rstrip("0123456789")) :][-9:]
        stem = name[: len(name) - len(number)]
        if not (parts and number and parts[-1][1] and parts[-1][0] == stem):
            parts.append((stem, [(number, number)] if number else []))
            continue
        ranges = parts[-1][1]
        begin, end = ranges[-1]
        if number == f"{int(end) + 1:0{len(end)}}":
            ranges[-1] = begin, number
        else:
            ranges.append((number, number))
    return ",".join(_folded(stem, ranges) for stem, ranges in parts)


def _folded(stem: str, ranges: Sequence[tuple[str, str]]) -> str:
    written = ",".join(begin if begin == end else f"{begin}-{end}" for begin, end in ranges)
    return f"{stem}[{written}]" if "-" in written or "," in written else f"{stem}{written}"


def check_environment(
    environment: Environment,
    options: Mapping[str, Any],
    elapsed_name: str,
    elapsed_s: float,
    check: Recheck,
) -> None:
    """Hosts, placement, nodes, memory, binding and times against each other.

    The memory of the system is that of its processes; of b_eff_io, where it may be stated by an
    option, that of its nodes, if it is more. `elapsed_s`, called `elapsed_name` in the file, is the
    time of the measurement itself.
    """
    _check_hosts(environment, check)
    _check_simulation(environment, check)
    of_processes = environment.memory_per_process_bytes * environment.processes
    total = of_processes
    if "total_memory_bytes" in options:
        stated = options["total_memory_bytes"]
        of_nodes = environment.nodes_memory_bytes or 0
        total = max(stated if isinstance(stated, int) else 0, of_nodes, of_processes)
    check.compare(["environment", "total_memory_bytes"], environment.total_memory_bytes, total)
    _check_binding(environment, check)
    _check_oversubscribed(environment, check)
    _check_times(environment, elapsed_name, elapsed_s, check)


def _check_hosts(environment: Environment, check: Recheck) -> None:
    hosts = environment.hosts
    by_hosts = sum(host.processes for host in hosts)
    check.compare(["environment", "processes"], environment.processes, by_hosts)
    check.compare(
        ["environment", "host_list"],
        expand_host_list(environment.host_list, len(hosts)),
        [host.name for host in hosts],
    )
    placed = Counter(environment.placement)
    for rank, node in enumerate(environment.placement):
        path: list[str | int] = ["environment", "placement", rank]
        check.require(node < len(hosts), path, node, f"less than {len(hosts)}")
    for index, host in enumerate(hosts):
        check.compare(["environment", "hosts", index, "processes"], host.processes, placed[index])


def _check_simulation(environment: Environment, check: Recheck) -> None:
    """Check that no real machine is described as a network, and that the nodes fit on it."""
    simulation = environment.simulation
    if simulation is None:
        return
    path: list[str | int] = ["environment", "simulated"]
    check.require(environment.simulated, path, environment.simulated, "true beside simulation")
    if simulation.platform is not None:
        path = ["environment", "simulation", "platform", "hosts"]
        hosts, nodes = simulation.platform.hosts, environment.nodes
        check.require(hosts >= nodes, path, hosts, f"at least nodes = {nodes}")


def _check_binding(environment: Environment, check: Recheck) -> None:
    """Binding is known of all processes or, where the system does not report it, of none."""
    binding = environment.binding
    counted = binding.bound_processes + binding.unbound_processes
    check.require(
        counted in (0, environment.processes),
        ["environment", "binding"],
        f"{counted} processes bound or unbound",
        f"{environment.processes} processes",
    )
    fewest, most = binding.cores_per_process_min, binding.cores_per_process_max
    path: list[str | int] = ["environment", "binding", "cores_per_process_min"]
    if fewest is None or most is None:
        check.require(fewest == most, path, fewest, f"null beside cores_per_process_max = {most}")
    else:
        check.require(fewest <= most, path, fewest, f"at most cores_per_process_max = {most}")


def _check_oversubscribed(environment: Environment, check: Recheck) -> None:
    """Cores are known of the smallest machine only: exact on one, a bound on several.

    Hosts of one kernel are one machine, and may each have a limit of their own that is exceeded.
    """
    cores = environment.cores_per_node_min
    if cores == 0 or environment.simulated:
        return
    per_host = [host.processes for host in environment.hosts]
    kernels = environment.kernels
    per_machine = Counter[int]()
    for host, processes in enumerate(per_host):
        per_machine[host if kernels is None else kernels[host]] += processes
    quota = environment.cpu_quota or math.inf
    most, fewest = max(per_machine.values()), min(per_machine.values())
    possible = {
        most > cores or max(per_host) > quota or kernels is not None,
        fewest > cores or min(per_host) > quota,
    }
    check.require(
        environment.oversubscribed in possible,
        ["environment", "oversubscribed"],
        environment.oversubscribed,
        f"{not environment.oversubscribed}".lower()
        + f": {most} processes on a machine, {min(cores, quota):.3g} cores",
    )


def _check_times(
    environment: Environment, elapsed_name: str, elapsed_s: float, check: Recheck
) -> None:
    if environment.finished_at is not None:
        path: list[str | int] = ["environment", "finished_at"]
        ordered = moment_of(environment.finished_at) >= moment_of(environment.started_at)
        check.require(ordered, path, environment.finished_at, "a time after the start")
    check.require(
        elapsed_s <= environment.wall_s * (1 + RELATIVE_TOLERANCE),
        ["environment", "wall_s"],
        environment.wall_s,
        f"at least {elapsed_name} = {elapsed_s}",
    )


def check_counts(
    what: str,
    checked: int,
    wrong: int,
    first_error: str | None,
    check: Recheck,
    *,
    is_on: bool,
) -> None:
    """Nothing is counted without a check, and a first error is given if there is any."""
    path = "data_check"
    check.compare([path, f"{what}_checked"], checked, checked if is_on else 0)
    check.require(0 <= wrong <= checked, [path, f"wrong_{what}"], wrong, f"at most {checked}")
    is_given, should = first_error is not None, "given" if wrong > 0 else None
    check.require(is_given == (wrong > 0), [path, "first_error"], first_error, should)


def check_asked(options: Mapping[str, Any], shown: Mapping[str, Any], check: Recheck) -> None:
    """Check that a result shows what was asked for; null or absent stands for a default."""
    for name, value in shown.items():
        asked = options.get(name)
        if asked is not None:
            check.compare(["options", name], asked, value)
