"""`beff check`."""
# ruff: noqa: PLC0415 - YAML comes with an extra, and only some checks need it; judging is loaded when it judges

import json
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated

from beff.cli import judged
from beff.cli.common import options
from beff.cli.common.files import chosen_targets, name_left_out
from beff.cli.common.say import warn
from beff.definition.subject import load_sound
from beff.judge.expectations import Expectations
from beff.judge.finding import Checked
from beff.result.errors import WrongUsageError
from beff.result.load import Document, load_document, read_results
from beff.result.many import many_at_once
from beff.result.numbers import counted
from beff.result.places import check_apart, is_folder, made_whole, write_atomically
from beff.result.plain_figures import load_figures, parted


@dataclass(frozen=True, kw_only=True)
class _Options(judged.RuleOptions, options.OverwriteOptions):
    results: options.Results = field(kw_only=False)
    """Result files, or folders with all below them."""
    expect: Annotated[options.File | None, options.JUDGED] = None
    """YAML file with expected figures and tolerances."""
    accepted: Annotated[options.Folder | None, "NAME", options.JUDGED] = None
    """Folder that beff accept made."""
    baseline: Annotated[options.Results | None, options.JUDGED] = None
    """Earlier results, files or folders: figures and hosts are compared with these."""
    as_json: Annotated[bool, options.JSON, options.WRITTEN] = False
    """Print one JSON object instead."""
    output: Annotated[options.File | None, options.OUTPUT] = None
    """With --accepted: write a page, .pdf or .svg: accepted, now, percent with its error, kept or
    not."""
    openmetrics: Annotated[options.File | None, options.WRITTEN] = None
    """Also write figures and verdicts for Prometheus."""
    good: Annotated[options.File | None, options.WRITTEN] = None
    """Write the names of good hosts, one per line."""
    bad: Annotated[options.File | None, options.WRITTEN] = None
    """Write the names of bad hosts, one per line."""
    show_all: Annotated[bool, options.ALL] = False
    """Show all that was found."""


def check(given: _Options) -> int:
    """Judge whether results are good, and which host or link is not.

    Each result is checked against its hardware, and its hosts against each other; against expected
    figures and earlier results where they are given. A result is inconclusive if it is partial, not
    valid, noisy, oversubscribed, simulated or imported, does not verify, or has nothing to be
    compared with. Of figures of other benchmarks, from beff import, the last day is compared with
    all days before it.

    Examples:
      beff check results/b_eff_64p.json --expect cluster.expect.yaml
      beff check results --accepted acceptance-2026 -o report.pdf
      beff check results --baseline earlier --bad slow_hosts
      beff check figures.figures.json
      beff check results --openmetrics node_exporter/beff.prom --overwrite

    Exit codes:
      0  good
      1  bad
      2  wrong usage; a file is missing, is not a result, or exists already; cannot be written
      3  inconclusive
    """
    from beff.judge.earlier import check_figures
    from beff.judge.judge_results import Basis, judge_file, judged_together
    from beff.show.certificate import CERTIFICATE_ENDINGS, write_certificate
    from beff.show.judged_files import checked_json, latest, metrics_text, samples_of

    if given.expect is not None and given.accepted is not None:
        raise WrongUsageError(f"--expect {given.expect}: give it or --accepted, not both")
    if given.output is not None and given.accepted is None:
        raise WrongUsageError(f"--output {given.output}: goes with --accepted alone")
    lists = ("openmetrics", "good", "bad")
    targets = chosen_targets(given, "output", *lists, endings=CERTIFICATE_ENDINGS)
    expected, kept = expected_by(given.accepted, given.expect)
    before, plain_earlier = parted(given.baseline or ())
    earlier = load_sound(before, left_out=name_left_out) if given.baseline is not None else None
    basis = Basis(expected, earlier, kept, judged.rules_of(given.slow, given.topology))
    paths, plain = parted(given.results)
    alone = partial(judge_file, basis=basis)
    # whole documents are compared here, and would take longer to be handed over than to be read
    many = many_at_once if earlier is None else map
    files = read_results(paths, alone, left_out=name_left_out, many=many)
    read = [*(one.document.source for one in files), *(run.source for run in earlier or ())]
    read += map(str, (*plain, *plain_earlier, *filter(None, [given.expect])))
    check_apart(targets, map(Path, read))
    checked = judged_together(files, basis)
    if plain:
        read_plain = partial(load_figures, left_out=name_left_out)
        named = [(str(path), read_plain(path)) for path in plain]
        checked = Checked((*checked, *check_figures(named, [*map(read_plain, plain_earlier)])))
    if given.openmetrics is not None:
        newest = [load_document(Path(one)) for one in latest(one.document for one in files)]
        text = metrics_text(samples_of(checked, newest))
        write_atomically(given.openmetrics, text, overwrite=True)
        warn(f"{given.openmetrics}: figures of {counted(len(newest), 'result')}")
    if given.output is not None and expected is not None:
        with made_whole(given.output) as made:
            documents = [one.document for one in files]
            write_certificate(checked, documents, (expected, kept), made)
        warn(f"{given.output}: {counted(len(files), 'result')} beside what was accepted")
    names = judged.Names(one.document for one in files)
    hosts = {"--good": names.listed(checked.good_hosts), "--bad": names.listed(checked.bad_hosts)}
    if targets.keys() & hosts.keys():
        names.warn_of_shared()
    judged.write_host_lists(targets, hosts, judged=bool(checked.hosts))
    if given.as_json:
        print(json.dumps(checked_json(checked), indent=1))
        return judged.CODES[checked.verdict]
    return judged.answer(checked, "--all", show_all=given.show_all)


def expected_by(
    accepted: Path | None, expect: Path | None
) -> tuple[Expectations | None, list[Document]]:
    """Read what is expected, of an acceptance with its results. Raises ResultError."""
    if accepted is None and expect is None:
        return None, []
    from beff.judge.acceptance import FILE, RESULTS, read_acceptance
    from beff.judge.expectations import load_expectations

    if expect is not None:
        if expect.name != FILE or not is_folder(expect.parent / RESULTS):
            return load_expectations(expect), []
        accepted = expect.parent
    assert accepted is not None
    return read_acceptance(accepted)
