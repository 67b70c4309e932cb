"""Order of the pages, and what they are called in contents and links: as docs/README.md has them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from site_links import PROJECT, meant, site_name

OVERVIEW = "docs/README.md"
ROW = re.compile(r"^\| \[([^\]]+)\]\(([^)#]+)\)", re.MULTILINE)
LINK = re.compile(r"\[([^\]]+)\]\((?!\w+:)([^)#]+)\)")


class UnorderedPagesError(Exception):
    """Pages of docs/ to which the overview does not lead."""


@dataclass(frozen=True)
class Entry:
    """Entry of a table of contents.

    Attributes
    ----------
    title : str
        Short; empty for that of the page itself.
    page : str
        Page of the site.
    source : str
        File of the repository; empty for a page that is made.
    """

    title: str
    page: str
    source: str = ""


def reading_order() -> dict[str, list[Entry]]:
    """Pages of docs/ by part of the site, "guide" and "background": those of the table, then those of further links.

    Raises
    ------
    UnorderedPagesError
        Some page of docs/ is not linked from the overview.
    """
    text = (PROJECT / OVERVIEW).read_text()
    titles: dict[str, str] = {}
    for title, target in [*ROW.findall(text), *LINK.findall(text)]:
        path = meant(target, OVERVIEW)
        if path.startswith("docs/") and path.endswith(".md"):
            titles.setdefault(path, title[:1].upper() + title[1:])
    pages = {path.relative_to(PROJECT).as_posix() for path in (PROJECT / "docs").rglob("*.md")}
    if missing := sorted(pages - {OVERVIEW, *titles}):
        raise UnorderedPagesError(f"{OVERVIEW} has no link to {', '.join(missing)}")
    found: dict[str, list[Entry]] = {"guide": [], "background": []}
    for path, title in titles.items():
        part = "guide" if path.startswith("docs/guide/") else "background"
        found[part].append(Entry(title, site_name(path), path))
    return found


def contents(entries: Sequence[Entry | str], folder: str = "", caption: str = "") -> str:
    """Hidden table of contents in the words of MyST.

    Parameters
    ----------
    entries : sequence of Entry or str
        What it leads to: entries, or pages of the site, called by their own titles.
    folder : str
        Where the page stands that has it.
    caption : str
    """
    lines = []
    for entry in entries:
        title, page = (entry.title, entry.page) if isinstance(entry, Entry) else ("", entry)
        name = os.path.relpath(os.path.splitext(page)[0], folder or ".")
        lines.append(f"{title} <{name}>" if title else name)
    options = f":caption: {caption}\n" if caption else ""
    return "\n```{toctree}\n:hidden:\n" + options + "\n" + "\n".join(lines) + "\n```\n"
