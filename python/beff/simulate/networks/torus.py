"""A three-dimensional torus with a host at each crossing."""

from beff.simulate.errors import NetworkError
from beff.simulate.networks.network import Links, Network, cluster, product


def _body(hosts: int, shape: tuple[int, ...], links: Links) -> str:
    # SimGrid makes the link of an extent of 1 twice and stops.
    extents = ",".join(str(extent) for extent in shape if extent > 1)
    return cluster(range(hosts), links, extra=f'topology="TORUS" topo_parameters="{extents}"')


def _check(hosts: int, shape: tuple[int, ...]) -> None:
    if hosts == 1:
        raise NetworkError(f"--shape {'x'.join(map(str, shape))}: a torus has at least two hosts")


TORUS = Network(
    name="torus",
    summary="a three-dimensional torus with a host at each crossing",
    shape=("x", "y", "z"),
    hosts=product,
    body=_body,
    check=_check,
)
