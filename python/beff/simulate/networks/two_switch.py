"""Two switches with half of the hosts each, joined by a backbone."""

from beff.model.quantities import format_bandwidth, format_latency
from beff.simulate.errors import NetworkError
from beff.simulate.networks.network import Links, Network, bandwidth, cluster, latency


def _body(hosts: int, _shape: tuple[int, ...], links: Links) -> str:
    half = hosts // 2
    backbone = (
        f'<link id="backbone" bandwidth="{bandwidth(links.backbone_bandwidth)}"'
        f' latency="{latency(links.backbone_latency)}" sharing_policy="SPLITDUPLEX"/>\n'
    )
    return (
        '<zone id="world" routing="Full">\n'
        + cluster(range(half), links, name="s0", extra='router_id="r0"')
        + cluster(range(half, hosts), links, name="s1", extra='router_id="r1"')
        + backbone
        + _route(0, 1, "UP")
        + _route(1, 0, "DOWN")
        + "</zone>\n"
    )


def _route(source: int, destination: int, direction: str) -> str:
    return (
        f'<zoneRoute src="s{source}" dst="s{destination}" gw_src="r{source}"'
        f' gw_dst="r{destination}" symmetrical="NO">'
        f'<link_ctn id="backbone" direction="{direction}"/></zoneRoute>\n'
    )


def _check(hosts: int, _shape: tuple[int, ...]) -> None:
    if hosts % 2:
        raise NetworkError(
            f"--hosts {hosts}: a two-switch network has half of its hosts on each switch; give an"
            " even number"
        )


def _remark(links: Links) -> str:
    return (
        f", backbone {format_bandwidth(links.backbone_bandwidth)} and"
        f" {format_latency(links.backbone_latency)}"
    )


TWO_SWITCH = Network(
    name="two-switch",
    summary="two switches with half of the hosts each, joined by a backbone",
    shape=(),
    hosts=lambda _shape: 0,
    body=_body,
    check=_check,
    remark=_remark,
)
