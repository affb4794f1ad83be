"""What the operator of a list may choose."""

from dataclasses import dataclass

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True)
class Settings:
    """Limits and habits of a server; sizes in byte.

    `hosts` are the names by which it may be called, `*` for any: a page of another site that was
    given the address of this machine is refused.
    """

    title: str = "b_eff list"
    contact: str = ""
    hosts: tuple[str, ...] = LOOPBACK_NAMES
    largest_upload_bytes: int = 32 << 20
    submissions_per_minute: int = 10
    verifications_at_once: int = 2
    waiting_per_token: int = 50
    publish_at_once: bool = False
