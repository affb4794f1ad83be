"""Several hosts with rate-limited links on one machine, each in namespaces of its own.

A *cell* is one emulated cluster. It lives in a process, network and mount namespace of its own, in
which each host and each switch has further namespaces. Nothing of it is visible outside, so cells
cannot clash, and when the first process of a cell ends, the kernel ends everything in it.
"""

from cluster.emulation.cell import Cell, CellError, make_cell
from cluster.emulation.network import Network
from cluster.emulation.possible import reason_against

__all__ = ["Cell", "CellError", "Network", "make_cell", "reason_against"]
