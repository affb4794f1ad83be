"""The published figures as entries."""

from __future__ import annotations

from beff.model.published import published_results
from beff.model.published_io import published_io_results
from beff.store.database import Store
from beff.store.published_figures import add_published
from beff.store.queries import entries, systems


def test_every_published_figure_is_there_once(store: Store) -> None:
    expected = len(published_results().rows) + len(published_io_results().rows)
    with store.write() as session:
        assert add_published(session) == expected == 23
    with store.write() as session:
        assert add_published(session) == 0
    with store.read() as session:
        found = entries(session, ranked_only=True)
        assert len(found) == expected
        assert {entry.status for entry in found} == {"historic"}
        published = published_io_results()
        assert {e.source for e in found if e.benchmark == "b_eff_io"} == {
            source.text for source in published.sources.values()
        }
        assert all("IPDPS 2001" in (e.source or "") for e in found if e.definition != "0.5")
        assert all(entry.measured_at is None for entry in found)
        assert {entry.year for entry in found if entry.definition == "0.5"} == {2000}
        assert {entry.year for entry in found if entry.definition != "0.5"} == {2001}


def test_figures_as_printed(store: Store) -> None:
    with store.write() as session:
        add_published(session)
    with store.read() as session:
        of_t3e = entries(session, system="Cray T3E/900-512")
        t3e = {(entry.benchmark, entry.processes): entry for entry in of_t3e if entry.year == 2001}
        (older,) = (entry for entry in of_t3e if entry.year == 2000)
        assert (older.io_value_MBps, older.io_value_1_MBps) == (71, None)
        row = t3e["b_eff", 512]
        assert (row.b_eff_MBps, row.pingpong_MBps, row.at_lmax_MBps) == (19919, 330, 50018)
        assert row.latency_us is None
        # 512 processes with 128 times 1 MiB each, at 19919 * 10^6 byte/s
        assert row.total_memory_exchange_s is not None
        assert abs(row.total_memory_exchange_s - 3.449946) < 1e-5
        assert t3e["b_eff_io", 32].io_value_1_MBps == 57
        assert t3e["b_eff_io", 32].io_time_s == 1800
        names = {system.name: system for system, _ in systems(session)}
        assert names["IBM SP"].nodes == 336
        odd = next(
            entry for entry in entries(session, system="NEC SX-4/32") if entry.processes == 8
        )
        assert odd.source is not None
        assert odd.source.endswith("the paper prints 641")
