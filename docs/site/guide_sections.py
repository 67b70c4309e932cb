"""Sections of the guide, with the code that they show and the words that they set as code."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from reading_order import Entry, reading_order
from site_links import PROJECT

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+) (.*)$", re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+)`")


@dataclass
class Section:
    """Section of a page.

    Attributes
    ----------
    page : str
        Page of the site.
    title : str
        Of the section, behind that of its page.
    anchor : str
        Empty for the beginning of a page.
    blocks : list of (str, str)
        Language and content of its blocks of code.
    spans : list of str
        Words set as code.
    """

    page: str
    title: str
    anchor: str
    blocks: list[tuple[str, str]] = field(default_factory=list)
    spans: list[str] = field(default_factory=list)

    @property
    def target(self) -> str:
        """Where a link to it leads, from the root of the site."""
        return f"/{self.page}" + (f"#{self.anchor}" if self.anchor else "")


@cache
def guide_sections() -> tuple[Section, ...]:
    """All sections of the guide, in its order."""
    return tuple(section for page in reading_order()["guide"] for section in _sections(page))


def anchor_of(heading: str) -> str:
    """Anchor of a heading, as forges and MyST make it."""
    return re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")


def _sections(page: Entry) -> list[Section]:
    text = (PROJECT / page.source).read_text()
    blank = BLOCK.sub(lambda match: " " * len(match[0]), text)  # headings stand outside of code
    found = []
    starts = [(match.start(), len(match[1]), match[2]) for match in HEADING.finditer(blank)]
    for (start, level, heading), end in zip(starts, [*(s for s, *_ in starts[1:]), len(text)], strict=True):
        section = Section(
            page.page,
            page.title if level == 1 else f"{page.title}: {heading}",
            "" if level == 1 else anchor_of(heading),
        )
        section.blocks += [(match[1], match[2]) for match in BLOCK.finditer(text[start:end])]
        section.spans += SPAN.findall(BLOCK.sub("", text[start:end]))
        found.append(section)
    return found
