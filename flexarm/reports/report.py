"""Report about a result: one HTML page that needs nothing besides itself."""

from __future__ import annotations

import os
from pathlib import Path

from flexarm.arguments import check_object
from flexarm.html import Html
from flexarm.identification.worth.identification import Identification
from flexarm.progress import Progress
from flexarm.reports.arm_tables import arm_section
from flexarm.reports.fit_page import fit_page
from flexarm.reports.page_frame import framed
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


def report(
    result: Result | Identification,
    path: str | os.PathLike,
    *,
    animation: bool = True,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Write a page about a result or a fit: one HTML file with its pictures, its numbers and its arm in motion in it.

    Parameters
    ----------
    result : Result or Identification
        Of any kind; of an incomplete one the page shows what there is.
    path : path
    animation : bool
        Show the arm of a result in space, to turn and to play.
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
    check_object("result", result, Result, Identification)
    target = check_target(path, overwrite)
    if isinstance(result, Identification):
        text = fit_page(result, progress=progress)
    else:
        text = page(result, animation=animation, progress=progress)
    write_files({target: text}, overwrite)
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
    attributes = result.attributes
    return framed(
        f"{result.arm.name}: {result.kind}",
        [header(result.arm.name, f"{result.kind} result", result.status), warnings_section(result)],
        parts,
        footer(attributes.get("flexarm_version", "of an unknown version"), attributes.get("command", "")),
        style=view_style() if view else "",
        scripts=scripts() if view else (),
        script_hashes=script_hashes() if view else (),
    )
