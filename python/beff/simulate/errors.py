"""What can go wrong before and while a simulation runs."""

from beff.model.errors import BeffError


class SimulationError(BeffError):
    """A piece that is missing, or a simulation that failed; the message says the way out."""


class NetworkError(BeffError):
    """A network, host or placement that cannot be meant; the message names the way out."""
