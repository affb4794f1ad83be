"""Leaf switches, each joined to every spine switch by one link."""

from beff.simulate.networks.network import Links, Network, cluster


def _body(hosts: int, shape: tuple[int, ...], links: Links) -> str:
    leaf_hosts, leaves, spines = shape
    # levels; children of a switch, level by level; parents; parallel links
    topology = f"2;{leaf_hosts},{leaves};1,{spines};1,1"
    return cluster(range(hosts), links, extra=f'topology="FAT_TREE" topo_parameters="{topology}"')


FAT_TREE = Network(
    name="fat-tree",
    summary="leaf switches, each joined to every spine switch by one link",
    shape=("hosts per leaf", "leaves", "spines"),
    hosts=lambda shape: shape[0] * shape[1],
    body=_body,
)
