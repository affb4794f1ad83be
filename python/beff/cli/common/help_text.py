"""What --help looks like: arguments by their names, options in groups, ranges in words.

An option whose value ends in '...' takes several words, as arguments do; one whose value begins
with '[=' may stand without it, and is 1 then.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from typing import Any

from typer.core import TyperCommand


class Group(str, Enum):
    """The headings of options in --help, in their order; those without one come last."""

    BATCH = "Batch job"
    MEASURED = "What is measured"
    NETWORK = "A simulated network"
    B_EFF_IO = "Of b_eff_io"
    JUDGED = "How it is judged"
    PROCESSES = "Processes and programs"
    WRITTEN = "What is written"


_RANGE = re.compile(r"(\d+)<=x<=(\d+)|x>=(\d+)")
_ARGUMENTS, _OTHERS = "Arguments", "Options"
_HEADINGS = (_ARGUMENTS, *(group.value for group in Group), _OTHERS)
_MOST_UNGROUPED = 12
"""A reader finds an option among as many without headings."""


def as_help(function: Callable[..., Any]) -> str:
    """Return the description of a command by its function; lines of examples stay apart."""
    return re.sub(r"(?m)^(?=Examples?:$)", "\b\n", inspect.getdoc(function) or "")


class HelpfulCommand(TyperCommand):
    """A command whose options stand under the headings that `option` and `flag` give them."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of a command line."""
        arguments = [one for one in self.get_params(ctx) if one.param_type_name == "argument"]
        options = [one for one in self.get_params(ctx) if one.param_type_name == "option"]
        alone = _names(one for one in options if str(one.metavar).startswith("[="))
        args = _with_values(args, alone)
        several = [one for one in options if str(one.metavar).endswith("...")]
        if several:
            valued = [one for one in options if not one.is_flag]  # type: ignore[attr-defined]
            named = not any(one.required for one in arguments)
            args = _one_by_one(args, _names(several), _names(valued), named=named)
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return '[OPTIONS]' and the arguments, those that may be missing in brackets."""
        named = [
            _name(parameter) if parameter.required else f"[{_name(parameter)}]"
            for parameter in self.get_params(ctx)
            if parameter.param_type_name == "argument"
        ]
        return ["[OPTIONS]", *named]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, each group below its heading."""
        groups: dict[str, list[tuple[str, str]]] = {}
        rows = list(self._rows(ctx))
        for heading, row in rows:
            few = heading != _ARGUMENTS and len(rows) <= _MOST_UNGROUPED
            groups.setdefault(_OTHERS if few else heading, []).append(row)
        for heading in filter(groups.__contains__, _HEADINGS):
            with formatter.section(heading):
                formatter.write_dl(groups[heading])

    def _rows(self, ctx: Any) -> Iterator[tuple[str, tuple[str, str]]]:
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            name, text = record
            if parameter.param_type_name == "argument":
                yield _ARGUMENTS, (_name(parameter), text.replace("  [required]", ""))
            else:
                yield (
                    getattr(parameter, "rich_help_panel", None) or _OTHERS,
                    (name.replace(" [=", "[="), _RANGE.sub(_in_words, text)),
                )


def _with_values(words: Sequence[str], alone: set[str]) -> list[str]:
    """Give options that may stand alone the value 1; what follows '--' is not ours."""
    end = words.index("--") if "--" in words else len(words)
    return [*(f"{one}=1" if one in alone else one for one in words[:end]), *words[end:]]


def _names(options: Iterable[Any]) -> set[str]:
    return {name for option in options for name in option.opts}


def _one_by_one(
    words: Iterable[str], several: set[str], valued: set[str], *, named: bool
) -> list[str]:
    """Put an option of which several may be given before each of its values.

    Words go on with it once what the command is about was `named`; else the second one is that.
    """
    found: list[str] = []
    option, is_value = "", False
    for word in words:
        if word.startswith("-"):
            option, equals, _ = word.partition("=")
            is_value = option in valued and not equals
        elif is_value:
            is_value = False
        elif option in several and named:
            found.append(option)
        else:
            named = True
        found.append(word)
    return found


def _name(argument: Any) -> str:
    return str(argument.metavar or argument.name)


def _in_words(found: re.Match[str]) -> str:
    least, most, at_least = found.groups()
    return f"at least {at_least}" if most is None else f"{least} to {most}"
