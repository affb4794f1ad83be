"""`beff store`: the commands that keep results and show them."""

import csv
import json
import sys
from pathlib import Path
from typing import Annotated

import yaml

from beff.cli import exit_codes
from beff.cli.errors import WrongUsageError
from beff.cli.options import DatabaseOption, OverwriteOption, argument, flag, option
from beff.cli.rich_tables import print_table
from beff.cli.store_tables import (
    entries_table,
    entry_fields,
    entry_lines,
    series_fields,
    series_table,
    systems_table,
)
from beff.model.errors import BeffError
from beff.model.plain_text import csv_cell
from beff.model.write import write_atomically
from beff.store import queries
from beff.store.changes import keep_hardware, keep_result, remove_entry
from beff.store.database import Store, default_database, open_store
from beff.store.errors import DuplicateError, RefusedError, StoreError
from beff.store.hardware import read_hardware
from beff.store.history import FEWEST_RUNS, expectations
from beff.store.owners import warnings_of
from beff.store.published_figures import add_published
from beff.store.reading import file_content, read_content, read_result
from beff.store.trend import trends

JsonOption = Annotated[bool, flag("--json", "Print a JSON array.")]
BenchmarkOption = Annotated[str | None, option("--benchmark", "NAME", "Only b_eff or b_eff_io.")]
KeysArgument = Annotated[
    list[str],
    argument("ENTRY...", "Numbers of entries, or the first 8 or more digits of their SHA-256."),
]


def add(  # noqa: PLR0917 - one parameter per option of the command
    files: Annotated[list[Path] | None, argument("[FILE...]", "Result files.")] = None,
    system: Annotated[
        str | None,
        option(
            "--system",
            "NAME",
            "Name of the system.",
            default="from the YAML file, else the common beginning of the hosts' names",
        ),
    ] = None,
    hardware: Annotated[
        Path | None, option("--hardware", "FILE", "YAML file with the system's hardware.")
    ] = None,
    published: Annotated[
        bool, flag("--published", "Add the published figures of the papers.")
    ] = False,
    replace: Annotated[
        bool, flag("--replace", "Replace the file of a measurement that is stored already.")
    ] = False,
    database: DatabaseOption = None,
) -> int:
    """Verify results and store them.

    A result that does not verify is refused. One that is not valid or partial is stored, but takes
    no part in rankings. Exit code 1 when a file was refused; the others are stored all the same.

    \b
    Example:
      beff store add results/*/b_eff_*p.json --hardware cluster.yaml
    """  # noqa: D301 - \b keeps the lines of the example apart
    if not files and not published and hardware is None:
        raise WrongUsageError("store add: name result files, --hardware FILE or --published")
    with open_store(database or default_database()) as store:
        if published:
            with store.write() as session:
                count = add_published(session)
            print(f"published figures: {count} new entries, marked historic")
        name = system if hardware is None else _add_hardware(store, hardware, system)
        good = [_add_file(store, path, name, replace) for path in files or []]
    return exit_codes.OK if all(good) else exit_codes.FAILED


def _add_hardware(store: Store, path: Path, name: str | None) -> str:
    described = read_hardware(path)
    with store.write() as session:
        plain = keep_hardware(session, described, name).name
    print(f"{path}: hardware of system '{plain}'")
    return plain


def _add_file(store: Store, path: Path, system: str | None, replace: bool) -> bool:
    try:
        content = read_content(path)
        result = read_result(str(path), content)
        with store.write() as session:
            kept = keep_result(session, result, content, system, replace=replace)
            word = "replaced" if kept.replaced else "stored as" if kept.new else "is already"
            said = f"{path}: {word} entry {kept.entry.id} of system '{kept.entry.system.name}'"
            if kept.entry.status != "valid":
                reason = f" (not met: {kept.entry.not_met})" if kept.entry.not_met else ""
                said += f"\n{path}: is {kept.entry.status}, so it is kept out of rankings{reason}"
            if not kept.entry.published:
                way_out = f"beff store publish {kept.entry.id} shows it in the list"
                reasons = "; ".join([*warnings_of(session, kept.entry), way_out])
                said += f"\n{path}: is not published: {reasons}"
    except DuplicateError as problem:
        print(f"{problem}; --replace takes the new file instead", file=sys.stderr)
        return False
    except RefusedError as problem:
        print(problem, file=sys.stderr)
        return False
    print(said)  # only now is it stored: the commit may fail, as on a full disk
    return True


def list_entries(  # noqa: PLR0917 - one parameter per option of the command
    benchmark: BenchmarkOption = None,
    system: Annotated[
        str | None, option("--system", "NAME", "Only entries of this system.")
    ] = None,
    show_all: Annotated[bool, flag("--all", "Also invalid and partial results.")] = False,
    show_systems: Annotated[
        bool, flag("--systems", "List the systems and their hardware instead.")
    ] = False,
    as_json: JsonOption = False,
    as_csv: Annotated[bool, flag("--csv", "Print comma-separated values.")] = False,
    database: DatabaseOption = None,
) -> int:
    """List what the store holds; results that are invalid or partial only with --all.

    \b
    Example:
      beff store list --benchmark b_eff
    """  # noqa: D301 - \b keeps the lines of the example apart
    _check_benchmark(benchmark)
    with open_store(database or default_database()) as store, store.read() as session:
        if show_systems:
            print_table(systems_table(queries.systems(session)))
            return exit_codes.OK
        found = queries.entries(
            session, benchmark=benchmark, system=system, ranked_only=not show_all
        )
        if as_json:
            print(json.dumps([entry_fields(entry) for entry in found], indent=1))
        elif as_csv:
            rows = [entry_fields(entry) for entry in found]
            writer = csv.DictWriter(sys.stdout, rows[0] if rows else [], lineterminator="\n")
            writer.writeheader()
            writer.writerows({name: csv_cell(cell) for name, cell in row.items()} for row in rows)
        else:
            print_table(entries_table(found))
            there = queries.count_entries(session, benchmark=benchmark, system=system)
            if there > len(found):
                print(
                    f"{there - len(found)} invalid or partial results are kept out of rankings and"
                    " not shown; --all shows them"
                )
    return exit_codes.OK


def show(keys: KeysArgument, as_json: JsonOption = False, database: DatabaseOption = None) -> int:
    """Show everything that is stored about entries.

    \b
    Example:
      beff store show 3
    """  # noqa: D301 - \b keeps the lines of the example apart
    with open_store(database or default_database()) as store, store.read() as session:
        found = [queries.entry_of(session, key) for key in keys]
        if as_json:
            print(json.dumps([entry_fields(entry) for entry in found], indent=1))
        else:
            print("\n\n".join("\n".join(entry_lines(entry)) for entry in found))
    return exit_codes.OK


def export(
    keys: KeysArgument,
    output_dir: Annotated[Path, option("--output-dir -o", "DIR", "Folder for the files.")] = Path(),
    overwrite: OverwriteOption = False,
    database: DatabaseOption = None,
) -> int:
    """Write result files as they were added, byte for byte.

    \b
    Example:
      beff store export 3 -o results
    """  # noqa: D301 - \b keeps the lines of the example apart
    with open_store(database or default_database()) as store, store.read() as session:
        for key in keys:
            entry = queries.entry_of(session, key)
            if entry.file is None:
                raise BeffError(
                    f"entry {entry.id} is a published figure without a result file"
                    f" ({entry.source}); beff store show --json prints its figures"
                )
            path = output_dir / f"{entry.benchmark}_{entry.processes}p_{entry.id}.json"
            write_atomically(path, file_content(entry.file).decode("utf-8"), overwrite=overwrite)
            print(f"{path}: SHA-256 {entry.sha256}")
    return exit_codes.OK


def remove(keys: KeysArgument, database: DatabaseOption = None) -> int:
    """Remove entries and their files; a system without entries goes too.

    \b
    Example:
      beff store remove 3
    """  # noqa: D301 - \b keeps the lines of the example apart
    said = []
    with open_store(database or default_database()) as store, store.write() as session:
        for entry in {queries.entry_of(session, key) for key in keys}:
            said.append(
                f"removed entry {entry.id} of system '{entry.system.name}' ({entry.benchmark})"
            )
            remove_entry(session, entry)
    print("\n".join(said))
    return exit_codes.OK


def trend(
    system: Annotated[str, argument("SYSTEM", "Name of the system.")],
    benchmark: BenchmarkOption = None,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> int:
    """Show the valid runs of a system over time, and mark where it became faster or slower.

    Runs with equal benchmark, definition, processes, nodes and memory make one series. A mark
    needs at least three runs on either side and a step beyond the noise of the series.

    \b
    Example:
      beff store trend "Example cluster" --benchmark b_eff
    """  # noqa: D301 - \b keeps the lines of the example apart
    _check_benchmark(benchmark)
    with open_store(database or default_database()) as store, store.read() as session:
        queries.existing_system(session, system)
        found = trends(session, system, benchmark)
        if as_json:
            print(json.dumps([series_fields(series) for series in found], indent=1))
            return exit_codes.OK
        if not found:
            print(f"system '{system}' has no valid run whose time is known")
        for series in found:
            print_table(series_table(series))
    return exit_codes.OK


def _check_benchmark(name: str | None) -> None:
    if name not in (None, "b_eff", "b_eff_io"):
        raise WrongUsageError(f"--benchmark {name}: must be b_eff or b_eff_io")


def expect(
    system: Annotated[str, argument("SYSTEM", "Name of the system.")],
    output: Annotated[
        Path | None, option("--output -o", "FILE", "Write into this file instead of printing.")
    ] = None,
    overwrite: OverwriteOption = False,
    database: DatabaseOption = None,
) -> int:
    """Write what beff check --expect takes: what the history lets one expect of the next run.

    Of each series the runs since its last step give the value (median) and, by their spread, the
    tolerance.

    \b
    Example:
      beff store expect "Example cluster" -o cluster.expect.yaml
    """  # noqa: D301 - \b keeps the lines of the example apart
    with open_store(database or default_database()) as store, store.read() as session:
        content, left_out = expectations(session, system)
    for sentence in left_out:
        print(f"beff: {sentence}", file=sys.stderr)
    if not content["expectations"]:
        raise StoreError(
            f"store expect: system '{system}' has no {FEWEST_RUNS} valid runs under equal"
            " conditions since the last step of their trend; add more"
        )
    text = yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=100)
    if output is None:
        print(text, end="")
    else:
        write_atomically(output, text, overwrite=overwrite)
    return exit_codes.OK
