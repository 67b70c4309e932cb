"""The 3D view of a report, alone on a page."""

from __future__ import annotations

from flexarm.html import element
from flexarm.reports.page_frame import document
from flexarm.reports.space_view.section import script_hashes, scripts, space_view_section, view_style
from flexarm.results.result import Result


def space_view(result: Result) -> str:
    """Return the text of a page that needs nothing besides itself."""
    view = [element("main", space_view_section(result))]
    return document(
        result.arm.name, view, style=view_style(), scripts=scripts(), script_hashes=script_hashes()
    )
