"""Report about a result: one HTML page that needs nothing besides itself."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

from flexarm.arguments import check_object
from flexarm.html import Html, element
from flexarm.progress import Progress
from flexarm.reports.arm_tables import arm_section
from flexarm.reports.page_sections import (
    footer,
    header,
    impacts_section,
    loads_section,
    numbers_section,
    pictures_section,
    run_section,
    warnings_section,
)
from flexarm.reports.space_view.section import script_hashes, scripts, space_view_section, view_style
from flexarm.results.result import Result
from flexarm.results.storage.atomic_files import check_ending, check_target, write_files

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""What a browser may load for the page: nothing from anywhere; of scripts it runs those of the view in space."""


def report(
    result: Result,
    path: str | os.PathLike,
    *,
    animation: bool = True,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Write a page about a result: one HTML file with its pictures, its numbers and its arm in motion in it.

    Parameters
    ----------
    result : Result
        Of any kind; of an incomplete one the page shows what there is.
    path : path
    animation : bool
        Show the arm in space, to turn and to play.
    overwrite : bool
        Replace an existing file.
    progress : callable, optional
        Called with the fraction done.

    Returns
    -------
    Path
        The absolute path of the file.

    Raises
    ------
    ResultError
        The file exists or cannot be written.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/usoro_two_link.yaml")
    >>> flexarm.report(flexarm.simulate(arm), "usoro.html", animation=False, overwrite=True).name
    'usoro.html'
    """
    check_ending(path, (".html", ".htm"), "a page ends in")
    check_object("result", result, Result)
    target = check_target(path, overwrite)
    write_files({target: page(result, animation=animation, progress=progress)}, overwrite)
    return target


def page(result: Result, *, animation: bool = True, progress: Progress | None = None) -> str:
    """Return the text of the page about a result; see :func:`report`."""
    report_progress = progress or (lambda fraction, t: None)
    report_progress(0.0, None)
    view = space_view_section(result) if animation else Html()
    parts = {
        "Key numbers": numbers_section(result),
        "Loads": loads_section(result),
        "Impacts": impacts_section(result),
        "Motion" if result.n_samples > 1 else "Posture": view,
        "Pictures": pictures_section(result, lambda fraction: report_progress(0.1 + 0.9 * fraction, None)),
        "Arm": arm_section(result.arm, result.attributes["robot"]),
        "Run": run_section(result),
    }
    shown = {title: content for title, content in parts.items() if content}
    links = element("nav", *(element("a", title, href=f"#{_key(title)}") for title in shown))
    sections = [
        element("section", element("h2", title), content, id=_key(title)) for title, content in shown.items()
    ]
    page_style = (files("flexarm.reports") / "page.css").read_text(encoding="utf-8")
    style = page_style + view_style() if view else page_style
    policy = f"{POLICY}; script-src {' '.join(script_hashes())}" if view else POLICY
    head = [
        Html('<meta charset="utf-8">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", f"{result.arm.name}: {result.kind}"),
        element("style", Html(style)),
    ]
    body = [header(result), warnings_section(result), links, element("main", *sections), footer(result)]
    body += [element("script", Html(script)) for script in scripts()] if view else []
    return f'<!DOCTYPE html>\n<html lang="en">{element("head", *head)}{element("body", *body)}</html>\n'


def _key(title: str) -> str:
    return title.lower().replace(" ", "-")
