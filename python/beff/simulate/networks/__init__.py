"""Networks that can be described in a few words: one file each, and their table."""

from beff.simulate.networks.dragonfly import DRAGONFLY
from beff.simulate.networks.fat_tree import FAT_TREE
from beff.simulate.networks.flat import FLAT
from beff.simulate.networks.network import Network
from beff.simulate.networks.torus import TORUS
from beff.simulate.networks.two_switch import TWO_SWITCH

NETWORKS: dict[str, Network] = {
    network.name: network for network in (FLAT, TWO_SWITCH, FAT_TREE, TORUS, DRAGONFLY)
}
