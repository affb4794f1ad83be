"""One switch that never blocks."""

from beff.simulate.networks.network import Links, Network, cluster


def _body(hosts: int, _shape: tuple[int, ...], links: Links) -> str:
    return cluster(range(hosts), links)


FLAT = Network(
    name="flat",
    summary="one switch that never blocks",
    shape=(),
    hosts=lambda _shape: 0,
    body=_body,
)
