"""Exit codes: one table for all commands, which each shows in its --help."""

from collections.abc import Mapping, Sequence

from beff.result.errors import BeffError, DisturbedError, ResultError, TargetError, WrongUsageError

OK = 0
FAILED = 1
"""The answer is no, or it did not work."""
WRONG_USAGE = 2
NOT_VALID = 3
"""Measured, but partial or not valid for comparison; of a judgement: inconclusive."""
UNFORESEEN = 70
STOPPED = 130
"""128 + SIGINT, as a shell says it."""
CLOSED_PIPE = 141
"""128 + SIGPIPE."""

_COMMON = {
    WRONG_USAGE: "wrong usage; a file is missing, is not a result, or exists already",
    UNFORESEEN: "a fault of beff itself",
    STOPPED: "stopped by Ctrl-C",
    CLOSED_PIPE: "the reader of the output has gone",
}
_DONE = {OK: "done", FAILED: "something is missing, failed or could not be written"}
_MEANINGS = {
    "run": {
        OK: "measured and valid, or simulated; a default I/O run that is only too short counts as"
        " valid",
        FAILED: "failed, does not verify, or bad by --expect",
        NOT_VALID: "measured, but partial or not valid, inconclusive by --expect, or not numbered"
        " as asked; of several runs, the worst counts",
    },
    "today": {
        OK: "as fast as on the days before, or the first day",
        FAILED: "slower, or a host is; or nothing could be measured",
        NOT_VALID: "inconclusive",
    },
    "doctor": {
        OK: "nothing is missing, and a run can be valid",
        FAILED: "a piece is missing",
        NOT_VALID: "a run could not be valid, or not be judged",
    },
    "verify": {OK: "all files agree", FAILED: "one does not, or breaks the schema"},
    "compare": {
        OK: "no slowdown beyond the threshold",
        FAILED: "B is slower",
        WRONG_USAGE: f"{_COMMON[WRONG_USAGE]}; cannot be compared or written",
        NOT_VALID: "inconclusive",
    },
    "check": {
        OK: "good",
        FAILED: "bad",
        WRONG_USAGE: f"{_COMMON[WRONG_USAGE]}; cannot be written",
        NOT_VALID: "inconclusive",
    },
    "accept": {
        OK: "accepted",
        FAILED: "the folder could not be written",
        NOT_VALID: "a run was disturbed, or its repetitions differ too much: nothing is accepted",
    },
    "show": {
        OK: "shown, or written",
        FAILED: "a run is still under way, or something could not be written or removed",
    },
    "nodes": {
        OK: "all hosts and links that were tried are good",
        FAILED: "a host or link is slow or does not answer; or nothing could be measured",
        NOT_VALID: "inconclusive",
    },
    "list add": {OK: "all are added, or were there", FAILED: "one is refused"},
    "list build": {
        OK: "built of all files; with --check, nothing was found",
        FAILED: "with --check, a file must not be merged",
        NOT_VALID: "files that cannot be used are left out; with --check, one needs an answer",
    },
    "import": {OK: "imported", FAILED: "the printed figures disagree with each other"},
}


def meanings(command: str) -> Mapping[int, str]:
    """Return what each exit code of a command says."""
    return dict(sorted((_COMMON | _MEANINGS.get(command, _DONE)).items()))


def explained(command: str) -> str:
    """Return the table as it stands at the end of --help, with its lines kept apart."""
    rows = (f"  {code:3}  {meaning}" for code, meaning in meanings(command).items())
    return "\n".join(("\b", "Exit codes:", *rows))


def failure(given: Sequence[str]) -> int:
    """Return the code of a command line that did not work: never 1 where that is a judgement."""
    return WRONG_USAGE if given[:1] in (["check"], ["compare"]) else FAILED


def worst(codes: list[int]) -> int:
    """Return the code of several runs: stopped, wrong usage, failure, not valid, ok."""
    severity = (OK, NOT_VALID, FAILED, WRONG_USAGE)
    return max(
        codes,
        key=lambda code: severity.index(code) if code in severity else len(severity),
        default=OK,
    )


def of_problem(problem: BeffError, failed: int = FAILED) -> int:
    """Return the code of a command that a problem ends; `failed` where the usage was right."""
    if isinstance(problem, DisturbedError):
        return NOT_VALID
    is_usage = isinstance(problem, (WrongUsageError, ResultError, TargetError))
    return WRONG_USAGE if is_usage else failed
