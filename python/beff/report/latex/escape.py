"""Any text as LaTeX that shows it and does nothing else."""

import unicodedata

_SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "'": "{'}",
    "`": "{`}",
    "-": r"{-}",
    ",": r"{,}",
    "[": r"{[}",
    "]": r"{]}",
    "\N{MICRO SIGN}": r"\ensuremath{\mu}",
}
"""Signs that LaTeX or its packages read as commands, options, lists or ligatures."""

_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0308": '"',
    "\u030a": "r",
    "\u0327": "c",
    "\u030c": "v",
}


def escape(text: str) -> str:
    """Write a text; a sign outside ASCII that is no accented letter shows as its code point."""
    return "".join(map(_sign, unicodedata.normalize("NFC", text)))


def _sign(sign: str) -> str:
    if sign in _SIGNS:
        return _SIGNS[sign]
    if " " <= sign <= "~":
        return sign
    if sign.isspace():
        return " "
    letter = unicodedata.normalize("NFD", sign)
    if len(letter) == 2 and "A" <= letter[0] <= "z" and letter[0].isalpha():
        accent = _ACCENTS.get(letter[1])
        base = {"i": r"\i", "j": r"\j"}.get(letter[0], letter[0])
        if accent is not None:
            return f"\\{accent}{{{base}}}"
    return f"{{[}}U+{ord(sign):04X}{{]}}"
