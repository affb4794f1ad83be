"""The constants by which maps are judged; factors of time are logarithms.

What each does to the verdicts on made-up machines: bench/RESULTS.md. Two more are what a user may
choose: from which share of more time on a unit is slow (findings.SLOW, findings.SLOW_SINCE). What
serves one rule only, as which rounds are busy, stands beside that rule.
"""

from math import log

APART = log(1.05)
"""Groups less far apart cannot be mistaken for a fault: these begin at a tenth more time."""
CLEAR = log(1.25)
"""What links, groups and their uplinks take longer than others alike from here on is a finding.

The program measures links again from the same factor on (core/pairs/pair_map.cpp)."""
HIGH = log(1.5)
"""A meeting is slow that takes so much longer than its pair usually does; a unit as slow may never
end good, and a group is as large as another one that has less than so many times its units."""
FARTHEST = log(2.2)
"""Short messages that pass more switches than others take up to about twice as long: four more hops
of 0.15 us and 100 m of cable of 0.5 us on top of 1 us; and hosts differ by nature."""
SIGMAS = 3.5
"""So many standard deviations chance does not reach: once in 4300 Gaussian values, so seldom in a
map. One pair of many takes twice as many, what only messages of one length show so many of either
length: nobody is sure to be Gaussian there."""
AGREES = 0.5
"""What was measured otherwise agrees when it shows half of the logarithm or more: alone, at its
best, or in messages of the other length."""
QUICK = 0.25
"""A pair's level: so many of its meetings are quicker. Noise and contention only add time."""
MOST_SLOW = 0.4
"""Of more than this share of the units it is open whether they are slow or the others quick, unless
the others are fewer than half of that."""
CHANCE = 1e-4
"""Chance makes one of all stand out in its rounds with a probability of at most this."""
FEW = 3
"""So many others show what is usual of them; of fewer nothing is concluded."""
