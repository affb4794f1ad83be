"""What is taken in, what is refused, and what a change leaves behind, on both databases."""

from __future__ import annotations

import hashlib
import json
import threading
from pathlib import Path

import pytest
from sqlalchemy import func, select
from support.results import Plan, make_result

from beff.store.changes import keep_hardware, keep_result, remove_entry
from beff.store.database import Store, open_store
from beff.store.errors import DuplicateError, RefusedError, StoreError
from beff.store.hardware import parse_hardware
from beff.store.queries import entries, entry_of, existing_system, systems
from beff.store.reading import file_content, read_result
from beff.store.tables import Entry, ResultFile, System
from store_support import OFFICIAL, add, bytes_of, result_of

DATA = Path(__file__).resolve().parents[1] / "data"


def count(store: Store, table: type = Entry) -> int:
    with store.read() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def test_the_file_comes_back_byte_for_byte(store: Store) -> None:
    content = (DATA / "b_eff_2p_one_method.json").read_bytes()
    number = add(store, content)
    with store.read() as session:
        entry = entry_of(session, str(number))
        assert entry.file is not None
        assert file_content(entry.file) == content
        assert entry.sha256 == hashlib.sha256(content).hexdigest()
        assert entry.file.size_bytes == len(content) > len(entry.file.compressed)


def test_figures_are_those_of_the_file(store: Store) -> None:
    fields = json.loads((DATA / "b_eff_2p_one_method.json").read_bytes())
    number = add(store, (DATA / "b_eff_2p_one_method.json").read_bytes())
    with store.read() as session:
        entry = entry_of(session, str(number))
        for name in ("b_eff_MBps", "random_MBps", "lmax_bytes", "latency_us", "rmax_gflops"):
            assert getattr(entry, name) == fields["summary"][name] is not None
        assert (entry.benchmark, entry.definition, entry.processes) == ("b_eff", "3.5", 2)
        assert entry.measured_at is not None
        assert entry.measured_at.isoformat() == fields["environment"]["started_at"].replace(
            "Z", "+00:00"
        )


def test_figures_of_b_eff_io(store: Store) -> None:
    fields = json.loads((DATA / "b_eff_io_short.json").read_bytes())
    number = add(store, (DATA / "b_eff_io_short.json").read_bytes())
    with store.read() as session:
        entry = entry_of(session, str(number))
        assert entry.io_value_MBps == entry.value_MBps == fields["summary"]["b_eff_io_MBps"]
        assert entry.io_value_1_MBps == fields["summary"]["values"]["1"]
        assert entry.io_read_MBps == fields["summary"]["read_MBps"]
        assert entry.io_time_s == 1.0
        assert entry.b_eff_MBps is None
        assert entry.system.file_system == "ext4"


def test_status_decides_who_is_ranked(store: Store) -> None:
    valid = add(store, bytes_of(result_of(plan=OFFICIAL)))
    invalid = add(store, (DATA / "b_eff_io_short.json").read_bytes())
    partial = add(store, (DATA / "b_eff_io_stopped.json").read_bytes())
    with store.read() as session:
        found = {entry.id: entry for entry in entries(session)}
        assert [found[i].status for i in (valid, invalid, partial)] == [
            "valid",
            "invalid",
            "partial",
        ]
        assert [entry.id for entry in entries(session, ranked_only=True)] == [valid]
        assert found[invalid].not_met == "scheduled time, measured in full, schedule"


def test_the_same_file_twice_is_one_entry(store: Store) -> None:
    content = bytes_of(result_of())
    assert add(store, content) == add(store, content)
    assert (count(store), count(store, ResultFile)) == (1, 1)


def test_other_bytes_around_the_same_samples_are_no_new_entry(store: Store) -> None:
    document = result_of()
    first = add(store, bytes_of(document), "A")
    document["environment"]["uname"]["release"] = "another kernel"
    with pytest.raises(DuplicateError, match=f"measurement of entry {first}"):
        add(store, bytes_of(document))
    assert add(store, bytes_of(document), replace=True) == first
    assert (count(store), count(store, ResultFile)) == (1, 1)
    with store.read() as session:
        entry = entry_of(session, str(first))
        assert entry.system.name == "A"
        assert entry.sha256 == hashlib.sha256(bytes_of(document)).hexdigest()


def forged() -> dict[str, bytes]:
    better = result_of()
    better["summary"]["b_eff_MBps"] *= 2
    no_schema = result_of()
    del no_schema["samples"]
    other_version = result_of() | {"schema_version": 2}
    claims_valid = result_of() | {"valid": True}
    whole = bytes_of(result_of())
    return {
        "a better figure": bytes_of(better),
        "no samples": bytes_of(no_schema),
        "another version": bytes_of(other_version),
        "called valid": bytes_of(claims_valid),
        "cut off": whole[: len(whole) // 2],
        "empty": b"",
        "no text": b"\xff\xfe\x00",
        "no object": b"[]",
        "another object": b"{}",
        "deeply nested": b'{"a":' * 100_000,
        "nested and closed": b"[" * 100_000 + b"]" * 100_000,
        "a journal": (DATA / "b_eff_2p_killed.journal.jsonl").read_bytes(),
        "NaN": b'{"schema_version": NaN}',
        "a huge number": b'{"schema_version": ' + b"9" * 5000 + b"}",
        "a time that is none": bytes_of(result_of(started_at="yesterday")),
    }


@pytest.mark.parametrize("what", sorted(forged()))
def test_what_does_not_verify_is_refused(tmp_path: Path, what: str) -> None:
    with open_store(str(tmp_path / "store.sqlite3")) as store:
        with pytest.raises(RefusedError) as refusal:
            add(store, forged()[what])
        assert str(refusal.value).startswith("file: ")
        assert (count(store), count(store, System)) == (0, 0)


def test_text_that_databases_refuse_is_cleaned(store: Store) -> None:
    document = result_of(host="a\u0000b\u009bc\u202ed\n" + "x" * 240)
    document["environment"]["mpi"]["library"] = "'; DROP TABLE entries; --\u0000"
    number = add(store, bytes_of(document))
    with store.read() as session:
        entry = entry_of(session, str(number))
        assert entry.system.name.startswith("a b c d xxx")
        assert len(entry.system.name) == 120
        assert entry.mpi == "'; DROP TABLE entries; --"


def test_hardware_grows_with_results_and_yields_to_the_yaml_file(store: Store) -> None:
    add(store, bytes_of(result_of(plan=Plan(4, methods=("sendrecv",), repetitions=1))), "X")
    with store.write() as session:
        system = existing_system(session, "X")
        assert (system.nodes, system.cores, system.cpus) == (1, 4, "Model CPU")
        described = parse_hardware("f", "name: X\nnodes: 8\nmemory: 3 TiB\npower_kW: 2.5")
        keep_hardware(session, described)
    add(store, bytes_of(result_of(speed=2.0)), "X")
    with store.read() as session:
        system = existing_system(session, "X")
        assert (system.nodes, system.memory_bytes, system.power_kW) == (8, 3 << 40, 2.5)
        assert systems(session) == [(system, 2)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("colour: red", "the field 'colour' is not known"),
        ("nodes: many", "nodes must be a whole number, not 'many'"),
        ("site: ' '", "site must have at least 1 visible"),
        ("nodes: 0", "nodes must be at least 1, not '0'"),
        ("memory: 3 apples", "has no unit of a size"),
        (f"memory: {'9' * 400}GB", "memory must be at most 9223372036854775807, not '"),
        (f"memory: {'9' * 400}", "memory must be at most 9223372036854775807, not"),
        ("a: 'b", "is not YAML, line"),
        ("a: [", "and nothing else"),
        ("- a", "field: value"),
        ("!!python/object/apply:os.system ['true']", "and nothing else"),
        ("site: !!python/name:os.system x", "and nothing else"),
        ("year: 1066", "year must be at least 1940"),
        ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]", "and nothing else (line 1)"),
        ("site: &a here\nname: *a", "and nothing else (line 2)"),
        ("? [a]\n: b", "and nothing else"),
        ("[" * 9000, "and nothing else"),
        ("{a: " * 5000, "and nothing else"),
        ("nodes: 2\nnodes: 3", "tells the field 'nodes' twice"),
        ("--- {}\n--- {}", "field: value"),
        ("note: " + "x" * 30_000, "is longer than"),
        ("rmax_gflops: .inf", "rmax_gflops must be a number, not"),
    ],
)
def test_hardware_that_cannot_be_meant(text: str, reason: str) -> None:
    with pytest.raises(RefusedError, match=r"^file: ") as refusal:
        parse_hardware("file", text)
    assert reason in str(refusal.value)


def test_words_that_yaml_would_read_as_truth_stay_words() -> None:
    hardware = parse_hardware("f", "site: NO\nname: on\nnodes: 08\nrmax_gflops: 4.1e5")
    assert (hardware.site, hardware.name, hardware.nodes) == ("NO", "on", 8)
    assert hardware.rmax_gflops == 4.1e5


def test_long_texts_are_refused() -> None:
    with pytest.raises(RefusedError, match=r"hosts\[0\].name: String should have at most 255"):
        read_result("file", bytes_of(result_of(host="h" * 300_000)))
    document = result_of()
    document["environment"]["command_line"][0] = "x" * 30_000
    with pytest.raises(RefusedError, match="holds a text of more than 20000 characters"):
        read_result("file", bytes_of(document))


def test_hosts_give_the_name(store: Store) -> None:
    plan = Plan(4, methods=("sendrecv",), repetitions=1, hosts=(2, 2))
    document = make_result(plan)
    assert [host["name"] for host in document["environment"]["hosts"]] == ["node1", "node2"]
    number = add(store, bytes_of(document))
    with store.read() as session:
        assert entry_of(session, str(number)).system.name == "node"


def test_removing(store: Store) -> None:
    first, second = (add(store, bytes_of(result_of(speed=s)), "X") for s in (1.0, 2.0))
    with store.write() as session:
        remove_entry(session, entry_of(session, str(first)))
    assert (count(store), count(store, ResultFile), count(store, System)) == (1, 1, 1)
    with store.write() as session:
        remove_entry(session, entry_of(session, str(second)))
    assert (count(store), count(store, ResultFile), count(store, System)) == (0, 0, 0)


def test_entries_are_found_by_number_and_by_hash(store: Store) -> None:
    number = add(store, bytes_of(result_of()))
    with store.read() as session:
        sha256 = entry_of(session, str(number)).sha256
        assert sha256 is not None
        assert entry_of(session, sha256[:8].upper()).id == number
        for unknown in ("99", sha256[:7], "%%%%%%%%", "", "zzzzzzzzz", "9" * 30):
            with pytest.raises(StoreError, match="there is no entry"):
                entry_of(session, unknown)


def test_a_failed_change_leaves_nothing(store: Store) -> None:
    def add_and_fail() -> None:
        with store.write() as session:
            content = bytes_of(result_of())
            keep_result(session, read_result("file", content), content)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        add_and_fail()
    assert (count(store), count(store, System)) == (0, 0)


def test_two_writers_at_once_lose_nothing(database: str) -> None:
    """Both open the empty database, both add the same and different results."""
    speeds = [1.0, 1.5, 2.0, 2.5]
    contents = [bytes_of(result_of(speed=speed)) for speed in speeds]
    results = [read_result("file", content) for content in contents]
    start = threading.Barrier(2, timeout=240)
    problems: list[BaseException] = []

    def writer(order: list[int]) -> None:
        try:
            start.wait()
            with open_store(database) as store:
                for index in order:
                    with store.write() as session:
                        keep_result(session, results[index], contents[index], "X")
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=writer, args=(o,)) for o in ([0, 1, 2, 3], [3, 1, 0, 2])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=240)
    assert problems == []
    with open_store(database) as store:
        assert (count(store), count(store, System)) == (4, 1)
