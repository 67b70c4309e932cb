"""Frame of a page: its head, links to its sections, and what a browser may load for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files

from flexarm.html import Html, element

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""What a browser may load for a page: nothing from anywhere; of scripts it runs those that came with it."""


def framed(
    title: str,
    top: Sequence[Html],
    sections: Mapping[str, Html],
    footer: Html,
    *,
    style: str = "",
    scripts: Sequence[str] = (),
    script_hashes: Sequence[str] = (),
) -> str:
    """Return the text of a page.

    Parameters
    ----------
    title : str
    top : sequence of Html
        What stands above the links to the sections.
    sections : mapping
        Heading -> content; those without content are left out.
    footer : Html
    style : str
        Of what not every page has.
    scripts, script_hashes : sequence of str
        Scripts of the page, and the digests by which the browser knows them.
    """
    shown = {heading: content for heading, content in sections.items() if content}
    links = element("nav", *(element("a", heading, href=f"#{_key(heading)}") for heading in shown))
    body = [
        element("section", element("h2", heading), content, id=_key(heading))
        for heading, content in shown.items()
    ]
    whole = [*top, links, element("main", *body), footer]
    return document(title, whole, style=style, scripts=scripts, script_hashes=script_hashes)


def document(
    title: str,
    body: Sequence[Html],
    *,
    style: str = "",
    scripts: Sequence[str] = (),
    script_hashes: Sequence[str] = (),
) -> str:
    """Return the text of a file that needs nothing besides itself, see :func:`framed`."""
    policy = f"{POLICY}; script-src {' '.join(script_hashes)}" if script_hashes else POLICY
    page_style = (files("flexarm.reports") / "page.css").read_text(encoding="utf-8")
    head = [
        Html('<meta charset="utf-8">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", title),
        element("style", Html(page_style + style)),
    ]
    whole = [*body, *(element("script", Html(script)) for script in scripts)]
    return f'<!DOCTYPE html>\n<html lang="en">{element("head", *head)}{element("body", *whole)}</html>\n'


def _key(heading: str) -> str:
    return heading.lower().replace(" ", "-")
