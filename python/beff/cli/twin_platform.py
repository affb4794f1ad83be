"""The platform of `beff twin predict --platform`."""

import numpy as np

from beff.analysis.twin.traffic import short_s
from beff.analysis.twin.twin import Twin
from beff.simulate.groups import GroupedHosts

_INSIDE, _INSIDE_S = 10e9, 200e-9
"""Of messages within a host where none was timed: those of the networks of beff twin simulate."""
_WIDE = 2.0
"""An uplink that nobody waited for has so many times the rate of its hosts."""


def grouped_hosts(twin: Twin) -> GroupedHosts:
    """Return what is known of a machine as a simulator takes it."""
    ways = twin.ways
    first, second = np.triu_indices(len(ways.names), 1)
    took, apart = short_s(ways, first, second), ways.groups[first] != ways.groups[second]
    near = float(np.median(took[~apart])) if (~apart).any() else float(np.median(took))
    far = float(np.median(took[apart])) if apart.any() else near
    widest = _WIDE * np.bincount(ways.groups, ways.hosts)
    uplinks = np.where(np.isinf(ways.carried), widest, ways.carried)
    inside, inside_s = _INSIDE, _INSIDE_S
    if 1 in twin.inside_s:
        times = twin.inside_s[1]
        inside_s, inside = float(times[0]), float(twin.sizes[-1] / (times[-1] - times[0]))
    return GroupedHosts(
        names=ways.names,
        group_of=ways.groups.tolist(),
        rates=ways.hosts.tolist(),
        uplinks=uplinks.tolist(),
        latency_s=near,
        farther_s=max(0.0, far - near),
        inside=inside,
        inside_s=inside_s,
    )
