"""Where the files of the repository stand on the site, and the links between them."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

PROJECT = Path(__file__).resolve().parents[2]

FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2[ \t]*$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
TARGET = re.compile(r"(?<=\]\()(?!\w+:|#)([^)\s#]+)(#[^)\s]*)?(?=\))")

PAGE_OF_FILE = {
    "README.md": "index.md",
    "docs/README.md": "overview.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "robots/README.md": "robots/index.md",
    "docs/references.bib": "references.md",
}
"""Files whose pages are called otherwise, or stand elsewhere."""


def site_name(path: str) -> str:
    """Name on the site of a file or a folder of the repository.

    Descriptions of arms have pages of their own, folders a page that lists them; what is no page is a file to load.

    Parameters
    ----------
    path : str
        Seen from the root of the repository, with slashes.
    """
    if path in PAGE_OF_FILE:
        return PAGE_OF_FILE[path]
    if (PROJECT / path).is_dir():
        return f"{path}/index.md"
    pure = PurePosixPath(path)
    if pure.suffix == ".md":
        return path.removeprefix("docs/")
    if pure.parent == PurePosixPath("robots") and pure.suffix == ".yaml":
        return str(pure.with_suffix(".md"))
    return path.removeprefix("docs/") if path.startswith("docs/") else path


def linked_files(text: str, source: str) -> dict[str, str]:
    """Targets of a page's relative links outside code, as typed, and the files of the repository that they mean."""
    return {match[1]: meant(match[1], source) for match in TARGET.finditer(_without_code(text))}


def relinked(text: str, source: str) -> str:
    """Text of a page in which relative links lead to where the site has their targets.

    Parameters
    ----------
    text : str
        Markdown.
    source : str
        File of the repository that it comes from.
    """
    here = PurePosixPath(site_name(source)).parent

    def moved(match: re.Match[str]) -> str:
        return os.path.relpath(site_name(meant(match[1], source)), here) + (match[2] or "")

    pieces, end = [], 0
    for start, stop in _code(text):
        pieces += [TARGET.sub(moved, text[end:start]), text[start:stop]]
        end = stop
    return "".join(pieces) + TARGET.sub(moved, text[end:])


def meant(target: str, source: str) -> str:
    """File of the repository that a relative link of another one means."""
    return os.path.normpath(PurePosixPath(source).parent / target)


def _code(text: str) -> list[tuple[int, int]]:
    """Where the code blocks of a page begin and end."""
    return [match.span() for match in FENCE.finditer(text)]


def _without_code(text: str) -> str:
    return SPAN.sub("", FENCE.sub("", text))
