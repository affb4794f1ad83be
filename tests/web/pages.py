"""Pages taken apart: what stands in them, and whether they could run what somebody wrote."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from fastapi.testclient import TestClient

from store_support import bytes_of

HOSTILE = """<script>alert(1)</script>"'><img src=x onerror=alert(1)>{{ 7 * 7 }}</template>"""


@dataclass
class Parsed(HTMLParser):
    """The tags of a page, its text, and the cells of table rows by their data-cell."""

    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    rows: list[dict[str, str]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._cell: str | None = None
        self._in_body = self._in_template = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.tags.append((tag, attributes))
        self._in_template = self._in_template or tag == "template"
        if tag == "tr" and not self._in_template:
            self.rows.append({})
        self._cell = attributes.get("data-cell", self._cell)

    def handle_endtag(self, tag: str) -> None:
        self._in_template = self._in_template and tag != "template"
        if tag in ("td", "th", "a", "small", "span"):
            self._cell = None

    def handle_data(self, data: str) -> None:
        self.text.append(data)
        if self._cell is not None and self.rows and not self._in_template:
            row = self.rows[-1]
            row[self._cell] = row.get(self._cell, "") + data.strip()

    def named(self, tag: str) -> list[dict[str, str]]:
        """Attributes of all tags of a name."""
        return [attributes for name, attributes in self.tags if name == tag]


def parse(page: str) -> Parsed:
    """Take a page apart."""
    parsed = Parsed()
    parsed.feed(page)
    parsed.rows = [row for row in parsed.rows if row]
    return parsed


def dangers(page: str, allowed_scripts: int) -> list[str]:
    """What could run a stranger's text: scripts, handlers, styles and addresses of other kinds."""
    parsed = parse(page)
    found = [
        f"<{tag} {name}>"
        for tag, attributes in parsed.tags
        for name, value in attributes.items()
        if name.startswith("on")
        or name == "style"
        or (name in ("href", "src", "action") and value.strip().lower().startswith("javascript:"))
    ]
    scripts = parsed.named("script")
    if len(scripts) != allowed_scripts or any(not script.get("src") for script in scripts):
        found.append(f"{len(scripts)} scripts")
    found += [
        f"<{tag}>"
        for tag, _ in parsed.tags
        if tag in ("iframe", "object", "embed", "img", "style", "base")
    ]
    return found


def names(client: TestClient, query: str = "") -> list[str]:
    """The systems that the API gives, in their order."""
    return [
        system["name"]
        for system in client.get(f"/api/v1/systems?used=any&{query}").json()["systems"]
    ]


def submit(client: TestClient, token: str, document: dict[str, Any], **fields: str) -> Any:
    """Send a result as the holder of a token."""
    return client.post(
        "/api/v1/results",
        headers={"Authorization": f"Bearer {token}"},
        files={"file": ("f", bytes_of(document))},
        data=fields,
    )
