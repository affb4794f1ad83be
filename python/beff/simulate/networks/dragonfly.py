"""Groups of chassis of blades, as on a Cray Cascade."""

from beff.simulate.errors import NetworkError
from beff.simulate.networks.network import Links, Network, cluster, product


def _body(hosts: int, shape: tuple[int, ...], links: Links) -> str:
    groups, chassis, blades, nodes = shape
    # each number of switches with the number of parallel links between two of them
    topology = f"{groups},1;{chassis},1;{blades},1;{nodes}"
    return cluster(range(hosts), links, extra=f'topology="DRAGONFLY" topo_parameters="{topology}"')


def _check(_hosts: int, shape: tuple[int, ...]) -> None:
    groups, _, blades, _ = shape
    if groups > blades:
        raise NetworkError(
            f"--shape {'x'.join(map(str, shape))}: SimGrid crashes on a dragonfly with more groups"
            f" ({groups}) than blades per chassis ({blades}); give at least {groups} blades"
        )


DRAGONFLY = Network(
    name="dragonfly",
    summary="groups of chassis of blades, all joined to all on each level",
    shape=("groups", "chassis", "blades", "nodes"),
    hosts=product,
    body=_body,
    check=_check,
)
