"""Markdown in which every paragraph is one line, which wraps by itself wherever it is shown.

``python docs/site/unwrap.py`` joins the lines of all pages that a reader sees; code, tables and headings stay.
"""

from __future__ import annotations

import re
from pathlib import Path

from site_links import PROJECT

FENCE = re.compile(r"^\s*(```+|~~~+)")
ITEM = re.compile(r"^(\s*)([-*+]|\d+[.)])(\s+)")
APART = re.compile(r"^\s*(#{1,6} |\||<|>|\[[^\]]+\]: |(-\s*){3,}$|(\*\s*){3,}$)")
"""Headings, rows of tables, HTML and comments, quotations, definitions of links, rules."""


def pages() -> list[Path]:
    """The pages that a reader sees in a forge."""
    return [
        *(PROJECT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "robots/README.md")),
        *sorted((PROJECT / "docs").rglob("*.md")),
    ]


def unwrapped(text: str) -> str:
    """Text of a page whose paragraphs, those of lists included, are one line each."""
    done: list[str] = []
    open_paragraph, blank = False, True
    fence, margin, numbered = "", 0, False
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if fence or (found := FENCE.match(line)):
            if not fence:
                fence = found[1]
            elif line.strip() == fence:
                fence = ""
            done.append(line)
            open_paragraph = blank = False
            continue
        if not line.strip():
            done.append(line)
            open_paragraph, blank = False, True
            continue
        item = ITEM.match(line)
        number = item is not None and item[2][0].isdigit()
        if item and number and open_paragraph and item[2][:-1] != "1" and not (numbered and indent < margin):
            item = None  # a number of a sentence
        if blank and indent < margin and not item:
            margin = 0  # the list has ended
        if APART.match(line) or (blank and not item and indent >= margin + 4):
            done.append(line)
            open_paragraph = False
            blank = blank and indent >= margin + 4  # further lines of indented code
            continue
        if item:
            margin, numbered = len(item[0]), number
            done.append(line)
        elif open_paragraph:
            done[-1] = f"{done[-1].rstrip()} {line.strip()}"
        else:
            done.append(line)
        open_paragraph, blank = not re.search(r"(  |\\)$", line), False
    return "\n".join(done)


if __name__ == "__main__":
    for page in pages():
        page.write_text(unwrapped(page.read_text()))
