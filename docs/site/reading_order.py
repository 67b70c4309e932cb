"""Order of the pages: that of their links on docs/README.md."""

from __future__ import annotations

import os

from site_links import PROJECT, linked_files, site_name

OVERVIEW = "docs/README.md"


class UnorderedPagesError(Exception):
    """Pages of docs/ to which the overview does not lead."""


def reading_order() -> dict[str, list[str]]:
    """Files of the repository by part of the site, "guide" and "background", in the order of their links.

    Raises
    ------
    UnorderedPagesError
        Some page of docs/ is not linked from the overview.
    """
    linked = [
        path
        for path in linked_files((PROJECT / OVERVIEW).read_text(), OVERVIEW).values()
        if path.startswith("docs/") and path.endswith(".md")
    ]
    pages = {path.relative_to(PROJECT).as_posix() for path in (PROJECT / "docs").rglob("*.md")}
    if missing := sorted(pages - {OVERVIEW, *linked}):
        raise UnorderedPagesError(f"{OVERVIEW} has no link to {', '.join(missing)}")
    guide = [path for path in linked if path.startswith("docs/guide/")]
    return {"guide": guide, "background": [path for path in linked if path not in guide]}


def contents(pages: list[str], folder: str = "", caption: str = "") -> str:
    """Hidden table of contents in the words of MyST.

    Parameters
    ----------
    pages : list of str
        Pages of the site.
    folder : str
        Where the page stands that has it.
    caption : str
    """
    names = [os.path.relpath(name, folder or ".") for name in pages]
    listed = "\n".join(name.removesuffix(".md").removesuffix(".rst") for name in names)
    title = f":caption: {caption}\n" if caption else ""
    return f"\n```{{toctree}}\n:hidden:\n{title}\n{listed}\n```\n"


def site_names(paths: list[str]) -> list[str]:
    """Pages of the site of some files."""
    return [site_name(path) for path in paths]
