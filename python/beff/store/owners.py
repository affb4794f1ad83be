"""Whose a system is: of the token that made it, and of those whom its owner added."""

import unicodedata
from functools import cache
from string import ascii_lowercase, ascii_uppercase

from confusable_homoglyphs import confusables
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from beff.store.audit import COMMAND_LINE, note
from beff.store.errors import RefusedError
from beff.store.tables import Entry, Member, System, Token


def may_add(session: Session, system: System, actor: str) -> bool:
    """Whether an actor may add results to a system; the operator may to any."""
    if actor in {COMMAND_LINE, system.owner}:
        return True
    return session.get(Member, (system.id, actor)) is not None


def share(session: Session, system: System, name: str, actor: str) -> None:
    """Let the holder of another token add results. Raises RefusedError unless the owner asks."""
    if actor not in {COMMAND_LINE, system.owner}:
        raise RefusedError(f"system '{system.name}' is not yours, so you cannot share it")
    if session.scalar(select(Token.id).where(Token.name == name)) is None:
        raise RefusedError(f"there is no token '{name}' to share system '{system.name}' with")
    if session.get(Member, (system.id, name)) is None:
        session.add(Member(system_id=system.id, token=name))
        note(session, actor, "share", f"system {system.name}", f"with {name}")


def give(session: Session, system: System, name: str) -> None:
    """Make the holder of a token the owner. Raises RefusedError where there is no such token."""
    if session.scalar(select(Token.id).where(Token.name == name)) is None:
        raise RefusedError(f"there is no token '{name}' to give system '{system.name}' to")
    note(session, COMMAND_LINE, "give", f"system {system.name}", f"{system.owner} → {name}")
    system.owner = name


def leave_to(session: Session, system: System, claimant: str | None) -> None:
    """Pass a system on whose owner has sent nothing for it but what the operator refused.

    So a name is nobody's for having been the first to write it. One that the operator has described
    stays as it is.
    """
    if _passes_to(session, system, claimant):
        note(session, COMMAND_LINE, "give", f"system {system.name}", f"{system.owner} → {claimant}")
        system.owner = claimant
        session.execute(delete(Member).where(Member.system_id == system.id))


def _passes_to(session: Session, system: System, claimant: str | None) -> bool:
    if system.owner is None or system.described or claimant in {None, COMMAND_LINE, system.owner}:
        return False
    of_owner = select(Entry.refusal).where(
        Entry.system_id == system.id, Entry.submitted_by == system.owner
    )
    refusals = session.scalars(of_owner).all()
    return bool(refusals) and all(refusals)


def hardware_counts(session: Session, entry: Entry) -> bool:
    """Whether what was sent with an entry would describe its system if it were published now."""
    actor = entry.submitted_by or COMMAND_LINE
    return may_add(session, entry.system, actor) or _passes_to(session, entry.system, actor)


def warnings_of(session: Session, entry: Entry) -> list[str]:
    """Return what the operator should know of an entry; whose its system is, as it is now."""
    found = (entry.warnings or "").splitlines()
    if entry.published or hardware_counts(session, entry):
        return found
    whose = f"system '{entry.system.name}' belongs to '{entry.system.owner or 'the operator'}'"
    if entry.hardware is not None:
        whose += "; hardware counts only if its sender may add to the system when it is published"
    return [whose, *found]


def look_alikes(session: Session, system: System) -> list[str]:
    """Return the names of other systems that a reader may take for this one."""
    shape = shape_of(system.name)
    others = session.scalars(select(System.name).where(System.id != system.id))
    return [name for name in others if shape_of(name) == shape]


def spelled_out(name: str) -> str:
    """Return a name with every character beyond ASCII as its code."""
    return "".join(letter if letter.isascii() else f"[U+{ord(letter):04X}]" for letter in name)


def shape_of(name: str) -> str:
    """Return what a name looks like: case, spaces, marks and like letters make no difference.

    It is empty where no letter or digit can be seen.
    """
    return "".join(map(_like, name))


_INVISIBLE = "\u115f\u1160\u3164\uffa0"
"""Letters that fill a place with nothing."""


@cache
def _like(letter: str) -> str:
    """Return what stands for all that looks like a letter or digit; empty for anything else."""
    first = _classes().get(letter, letter)
    if first.isascii():
        return first if first.isalnum() else ""
    plain = unicodedata.normalize("NFKD", letter).casefold()
    if plain != letter:
        return shape_of(plain)
    return first if unicodedata.category(letter)[0] in "LN" and letter not in _INVISIBLE else ""


@cache
def _classes() -> dict[str, str]:
    """Return of each character the first of all that look alike; large letters of ASCII as small.

    Other scripts are not folded here: Greek eta looks like n, and its capital like H.
    """
    pairs = list(zip(ascii_lowercase, ascii_uppercase, strict=True))
    for letter, others in confusables.confusables_data.items():
        pairs += [(letter, one["c"]) for one in others if len(letter) == len(one["c"]) == 1]
    members = {letter: {letter} for pair in pairs for letter in pair}
    for one, other in pairs:
        if members[one] is not members[other]:
            members[one] |= members[other]
            members.update(dict.fromkeys(members[other], members[one]))
    return {letter: min(alike) for letter, alike in members.items()}
