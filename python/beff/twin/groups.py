"""A platform of SimGrid of hosts in groups, each with an uplink, from figures of a machine."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from xml.sax.saxutils import quoteattr

from beff.twin.platform import FOOTER, HEADER

_POLICY = ' sharing_policy="SPLITDUPLEX"'


@dataclass(frozen=True)
class GroupedHosts:
    """Hosts and the number of the group of each; rates in byte/s each way, latencies in seconds.

    `latency_s` is that of a message between two hosts of a group, `farther_s` what one between two
    groups takes longer. Messages between processes of a host have `inside` and `inside_s`.
    """

    names: Sequence[str]
    group_of: Sequence[int]
    rates: Sequence[float]
    uplinks: Sequence[float]
    latency_s: float
    farther_s: float
    inside: float
    inside_s: float


def platform_text(hosts: GroupedHosts) -> str:
    """Return the platform file."""
    groups = range(len(hosts.uplinks))
    ups = "".join(
        f'<link id="up{group}" bandwidth="{hosts.uplinks[group]!r}Bps"'
        f' latency="{hosts.farther_s / 2!r}s"{_POLICY}/>\n'
        for group in groups
    )
    routes = "".join(
        f'<zoneRoute src="group{a}" dst="group{b}" gw_src="switch{a}" gw_dst="switch{b}"'
        f' symmetrical="NO"><link_ctn id="up{a}" direction="UP"/>'
        f'<link_ctn id="up{b}" direction="DOWN"/></zoneRoute>\n'
        for a, b in permutations(groups, 2)
    )
    zones = "".join(_zone(hosts, group) for group in groups)
    return f'{HEADER}<zone id="twin" routing="Full">\n{zones}{ups}{routes}</zone>\n{FOOTER}'


def _zone(hosts: GroupedHosts, group: int) -> str:
    """Write the hosts of a group around their switch."""
    members = [host for host, own in enumerate(hosts.group_of) if own == group]
    machines, links, ways = [], [], []
    for host in members:
        name = quoteattr(hosts.names[host])
        machines.append(f'<host id={name} speed="1Gf"/>\n')
        links.append(
            f'<link id="port{host}" bandwidth="{hosts.rates[host]!r}Bps"'
            f' latency="{hosts.latency_s / 2!r}s"{_POLICY}/>\n'
            f'<link id="inside{host}" bandwidth="{hosts.inside!r}Bps"'
            f' latency="{hosts.inside_s!r}s" sharing_policy="FATPIPE"/>\n'
        )
        ways.append(
            f'<route src={name} dst="switch{group}" symmetrical="NO">'
            f'<link_ctn id="port{host}" direction="UP"/></route>\n'
            f'<route src="switch{group}" dst={name} symmetrical="NO">'
            f'<link_ctn id="port{host}" direction="DOWN"/></route>\n'
            f'<route src={name} dst={name} symmetrical="NO"><link_ctn id="inside{host}"/></route>\n'
        )
    return (
        f'<zone id="group{group}" routing="Floyd">\n{"".join(machines)}'
        f'<router id="switch{group}"/>\n{"".join(links)}{"".join(ways)}</zone>\n'
    )
