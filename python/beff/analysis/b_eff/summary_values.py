"""The values of a result's summary that a reader weighs against those of another run."""

from typing import NamedTuple


class SummaryValue(NamedTuple):
    """A field of the summary: its name in the file, what readers call it, its unit.

    Of MB/s more is better, of us less.
    """

    name: str
    label: str
    unit: str


SUMMARY_VALUES = (
    SummaryValue("b_eff_MBps", "b_eff", "MB/s"),
    SummaryValue("b_eff_per_process_MBps", "b_eff per process", "MB/s"),
    SummaryValue("rings_MBps", "rings", "MB/s"),
    SummaryValue("random_MBps", "random rings", "MB/s"),
    SummaryValue("at_lmax_MBps", "b_eff at L_max", "MB/s"),
    SummaryValue("at_lmax_per_process_MBps", "b_eff at L_max per process", "MB/s"),
    SummaryValue("rings_at_lmax_per_process_MBps", "rings at L_max per process", "MB/s"),
    SummaryValue("pingpong_MBps", "ping-pong at L_max", "MB/s"),
    SummaryValue("latency_us", "latency", "us"),
    SummaryValue("rings_latency_us", "latency in rings", "us"),
    SummaryValue("pingpong_latency_us", "latency of ping-pong", "us"),
)
