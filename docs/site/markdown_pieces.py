"""Pieces of Markdown from texts that are none."""

from __future__ import annotations

import re
from collections.abc import Sequence

SEPARATOR = " \u00b7 "
"""Between facts on one line."""
SPECIAL = re.compile(r"([\\`*_\[\]<>{}|#$~])")


def plain(text: str) -> str:
    """Text in which no character is taken for Markdown."""
    return SPECIAL.sub(r"\\\1", text)


def prose(text: str) -> str:
    """Text in which only code is Markdown: what stands between backticks, or between ' as schemas have it."""
    pieces = re.split(r"(?<!\w)(`[^`]+`|'[^' ][^']*')(?!\w)", text)
    return "".join(f"`{piece[1:-1]}`" if number % 2 else plain(piece) for number, piece in enumerate(pieces))


def sentence(text: str) -> str:
    """Text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def directive(name: str, argument: str, content: str = "") -> str:
    """Directive of Sphinx."""
    fence = "`" * (4 if "```" in content else 3)
    inner = f"\n{content.rstrip()}" if content else ""
    return f"{fence}{{{name}}} {argument}".rstrip() + f"{inner}\n{fence}\n"


def code(language: str, text: str) -> str:
    """Block of code."""
    return f"```{language}\n{text.rstrip()}\n```\n"


def table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Table whose cells are Markdown."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
