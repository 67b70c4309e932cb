"""The 3D view of a report, alone on a page."""

from __future__ import annotations

from importlib.resources import files

from flexarm.html import Html, element
from flexarm.reports.report import POLICY
from flexarm.reports.space_view.section import script_hashes, scripts, space_view_section, view_style
from flexarm.results.result import Result


def space_view(result: Result) -> str:
    """Return the text of a page that needs nothing besides itself."""
    style = (files("flexarm.reports") / "page.css").read_text(encoding="utf-8") + view_style()
    head = [
        Html('<meta charset="utf-8">'),
        Html(
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}; script-src {" ".join(script_hashes())}">'
        ),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", result.arm.name),
        element("style", Html(style)),
    ]
    body = [
        element("main", space_view_section(result)),
        *(element("script", Html(text)) for text in scripts()),
    ]
    return f'<!DOCTYPE html>\n<html lang="en">{element("head", *head)}{element("body", *body)}</html>\n'
