"""Results that `beff check` judges: each alone, of which little is kept, so that many can be."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from beff.cli.common.files import name_left_out
from beff.cli.host_lists import Hosts, hosts_of
from beff.judge.expectations import Expectations
from beff.judge.finding import Checked, HostRules
from beff.judge.judge_results import (
    Judged,
    judge_alone,
    judged_together,
    said_of_limits,
    since_acceptance,
)
from beff.report.check_files import Measured, measured_of
from beff.result.errors import ResultError
from beff.result.load import Document
from beff.result.result_files import read_results
from beff.store.side_by_side import many_at_once
from beff.twin.limit import hosts_digest
from beff.verify.subject import load_sound_document


@dataclass(frozen=True)
class JudgedFile:
    """A result, what was found of it, and what of it others need.

    `same_hosts` and `started_at` say which map of pairs belongs to a run of b_eff. The document is
    kept where it is compared with earlier ones.
    """

    judged: Judged
    hosts: Hosts
    measured: Measured
    benchmark: str
    same_hosts: str | None
    started_at: datetime | None
    since: tuple[str, ...]
    document: Document | None

    @property
    def source(self) -> str:
        """The file."""
        return self.measured.source


def judge_files(
    paths: Sequence[Path],
    expected: Expectations | None,
    rules: HostRules,
    kept: Sequence[Document],
    earlier: Sequence[Document] | None,
) -> list[JudgedFile]:
    """Judge the results that files and folders hold, beside the `kept` ones of an acceptance.

    Raises ResultError.
    """

    def judged(file: Path) -> JudgedFile:
        document = load_sound_document(file)
        return JudgedFile(
            judged=judge_alone(document, expected, rules, earlier),
            hosts=hosts_of(document),
            measured=measured_of(document),
            benchmark=document.benchmark,
            same_hosts=hosts_digest(document),
            started_at=None if document.is_imported else document.started_at,
            since=tuple(since_acceptance(kept, [document])),
            document=None if earlier is None else document,
        )

    # whole documents are compared here, and would take longer to be handed over than to be read
    many = many_at_once if earlier is None else map
    return _with_limits(read_results(paths, judged, left_out=name_left_out, many=many))


def _with_limits(files: list[JudgedFile]) -> list[JudgedFile]:
    """Say of runs of b_eff what limits them by maps among the files."""
    maps = [one for one in files if one.benchmark == "b_pairs" and one.started_at is not None]
    maps.sort(key=lambda one: (one.started_at or datetime.max, one.source))
    newest = {one.same_hosts: Path(one.source) for one in maps}
    wanted = {
        Path(one.source): newest[one.same_hosts]
        for one in files
        if one.benchmark == "b_eff" and one.same_hosts in newest and one.judged.used
    }

    def limits(file: Path) -> Checked:
        return said_of_limits(load_sound_document(file), load_sound_document(wanted[file]))

    found = dict(zip(wanted, many_at_once(limits, list(wanted)), strict=True))
    return [_limited(one, found.get(Path(one.source))) for one in files]


def _limited(one: JudgedFile, limits: Checked | ResultError | None) -> JudgedFile:
    if isinstance(limits, ResultError):
        raise limits
    if limits is None:
        return one
    _, *others = one.judged.parts
    return replace(one, judged=replace(one.judged, parts=(limits, *others)))


def all_checked(
    files: Sequence[JudgedFile],
    expected: Expectations | None,
    earlier: Sequence[Document] | None,
) -> Checked:
    """Join what was found, and compare with earlier results where there are any."""
    both = [(one.document, one.judged) for one in files if one.document is not None]
    checked = judged_together([one.judged for one in files], expected, both, earlier)
    return replace(checked, notes=(*checked.notes, *(note for one in files for note in one.since)))
