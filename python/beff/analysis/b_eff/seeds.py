"""Seeds of the random rings: how the run's seed becomes one seed per pattern."""

_MASK = 2**64 - 1
LARGEST_SEED = 2**53 - 1


def splitmix64(state: int) -> int:
    """Return the output of the splitmix64 generator that follows `state`; 64-bit arithmetic."""
    z = (state + 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def pattern_seed(run_seed: int, pattern: int) -> int:
    """Seed of one random pattern, at most 2^53 - 1 so that every JSON reader keeps it exactly."""
    return splitmix64(splitmix64(run_seed) ^ pattern) & LARGEST_SEED
