"""Pieces of HTML; whatever text comes in is escaped."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence

Rows = Sequence[Sequence[str]]


class Html(str):
    """Text that is HTML already."""


def escape(text: str) -> str:
    """Write a text in HTML."""
    import html  # with its table of all entities, which the command line does not need

    return html.escape(text)


def element(tag: str, *content: str | Html, **attributes: str) -> Html:
    """Return an element; attributes whose name Python keeps for itself end in an underscore, as in ``class_``."""
    settings = "".join(f' {name.rstrip("_")}="{escape(value)}"' for name, value in attributes.items())
    return Html(f"<{tag}{settings}>{joined(content)}</{tag}>")


def joined(parts: Iterable[str | Html]) -> Html:
    """Put pieces one after the other."""
    return Html("".join(part if isinstance(part, Html) else escape(part) for part in parts))


def table(rows: Rows, sides: str, heading: bool = True) -> Html:
    """Return a table whose columns are set left or right as the characters of `sides` say, < or >.

    Parameters
    ----------
    rows : sequence of sequence of str
        The first one is the heading, if there is one; without, the first column says what each row is.
    sides : str
    heading : bool
    """
    classes = ["number" if side == ">" else "text" for side in sides]

    def row(cells: Sequence[str], tags: Sequence[str]) -> Html:
        return element(
            "tr",
            *(element(tag, cell, class_=name) for tag, cell, name in zip(tags, cells, classes, strict=True)),
        )

    cells = ["td"] * len(classes) if heading else ["th", *["td"] * (len(classes) - 1)]
    top = [element("thead", row(rows[0], ["th"] * len(classes)))] if heading else []
    body = element("tbody", *(row(each, cells) for each in rows[len(top) :]))
    return element("div", element("table", *top, body), class_="wide")


def image(data: bytes, kind: str, text: str) -> Html:
    """Return a picture that is part of the page.

    Parameters
    ----------
    data : bytes
    kind : {"png", "gif"}
    text : str
        What it shows, for those who cannot see it.
    """
    source = f"data:image/{kind};base64,{b64encode(data).decode()}"
    return Html(f'<img src="{source}" alt="{escape(text)}">')


def folded(title: str, *content: str | Html) -> Html:
    """Return content that opens at a click."""
    return element("details", element("summary", title), *content)
