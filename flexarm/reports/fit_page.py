"""Page about a fit: the unknowns with their intervals, what the data tell of them, and how well the arm follows."""

from __future__ import annotations

import platform
from collections.abc import Callable
from importlib.metadata import version

from flexarm import __version__
from flexarm.html import Html, element, joined, table
from flexarm.identification.worth.fitted_series import FittedRun
from flexarm.identification.worth.goodness import WHITE, ColumnFit, column_fit
from flexarm.identification.worth.identification import CORRELATED, Identification
from flexarm.plots.diagrams.fits import fit_figures
from flexarm.progress import Progress
from flexarm.reports.arm_tables import arm_section
from flexarm.reports.page_frame import framed
from flexarm.reports.page_sections import footer, header, picture

LIBRARIES = ("numpy", "scipy", "casadi", "llvmlite")
"""Whose versions a page names beside that of flexarm."""
NO_BREAK = "\u00a0"
"""Space at which no line is broken."""


def fit_page(found: Identification, progress: Progress | None = None) -> str:
    """Return the text of the page about a fit; see :func:`~flexarm.reports.report.report`."""
    report_progress = progress or (lambda fraction, t: None)
    report_progress(0.0, None)
    n, m = len(found.names), found.n_measured
    what = f"fit of {n} unknown{'s' * (n != 1)} to {m} measured value{'s' * (m != 1)}"
    parts = {
        "Unknowns": _unknowns(found),
        "What is known": _known(found),
        "How well it fits": _fits(found),
        "Runs held back": _held_back(found),
        "Pictures": _pictures(found, lambda fraction: report_progress(fraction, None)),
        "Arm": arm_section(
            found.arm, found.arm.description, title="Description with the fitted numbers (YAML)"
        ),
        "How it was found": _search(found),
    }
    warnings = joined(element("p", text, class_="warning") for text in found.cautions)
    return framed(
        f"{found.arm.name}: fit",
        [header(found.arm.name, what, found.status), warnings],
        parts,
        footer(__version__, found.command),
    )


def _unknowns(found: Identification) -> Html:
    units = ["unit", *("" if unit == "1" else unit.replace(" ", NO_BREAK) for unit in found.units)]
    rows = [(name, unit, *rest) for unit, (name, *rest) in zip(units, found.unknown_rows, strict=True)]
    words = (
        "Each number lies within its interval with a probability of 95 %, if the arm is described rightly and what it "
        "leaves over is white noise."
    )
    return joined([table(rows, sides="<<>>>>"), element("p", words)])


def _known(found: Identification) -> Html:
    """What the data tell, and what they do not, in words."""
    sides = [
        [name for name, own in zip(found.names, found.known, strict=True) if own == known]
        for known in (True, False)
    ]
    words = [f"known by themselves: {', '.join(sides[0]) or 'none'}"]
    words += [f"not known by themselves: {', '.join(sides[1])}"] if sides[1] else []
    words += found.remarks
    pair = found.largest_correlation
    if pair is not None and abs(pair[0]) <= CORRELATED:
        words.append(f"hardest to tell apart: {pair[1]} and {pair[2]}, correlation {pair[0]:.3f}")
    return element("ul", *(element("li", line) for line in words))


def _fits(found: Identification) -> Html:
    """Tables of the measured columns, run by run and of all of them, of modes, and of the response."""
    rows = [row for run in found.runs for row in _column_rows(run.name, _column_fits(found, run))]
    if len(found.runs) > 1:
        rows += _column_rows("all runs", found.columns)
    parts = []
    if rows:
        words = (
            "Whiteness is the probability that white noise has autocorrelations as large as what is left over (Ljung "
            f"and Box); below {WHITE:g} it counts as not white: the arm lacks something, or the noise is correlated."
        )
        parts += [_column_table(rows), element("p", words)]
    if found.modes:
        modes = [("mode", "measured", "error", "fitted", "off by")]
        modes += [
            (
                name,
                f"{measured:.5g}",
                f"{error:.2g}",
                f"{own:.5g}",
                f"{abs(own - measured) / error:.2g} errors",
            )
            for name, measured, own, error in found.modes
        ]
        parts.append(table(modes, sides="<>>>>"))
    if found.response is not None:
        given, observed = found.response.channel
        words = (
            f"Response from {given} to {observed}: off by {found.response.difference:.2g} of itself (rms)."
        )
        parts.append(element("p", words))
    return joined(parts)


def _column_fits(found: Identification, run: FittedRun) -> list[ColumnFit]:
    """How well the columns of one run are followed."""
    left = run.measured - run.simulated
    return [
        column_fit(one.name, one.unit, [run.measured[:, c]], [left[:, c]])
        for c, one in enumerate(found.columns)
    ]


def _column_rows(run: str, columns: list[ColumnFit] | tuple[ColumnFit, ...]) -> list[tuple[str, ...]]:
    return [
        (
            run,
            one.name,
            f"{one.residual:.3g}{'' if one.unit == '1' else f' {one.unit}'}",
            "–" if one.per_cent != one.per_cent else f"{one.per_cent:.5g} %",
            "–" if one.whiteness != one.whiteness else f"{one.whiteness:.2g}",
            "yes" if one.is_white else "no",
        )
        for one in columns
    ]


def _column_table(rows: list[tuple[str, ...]]) -> Html:
    heading = ("run", "column", "left over (rms)", "explained of the variance", "whiteness", "white noise")
    return table([heading, *rows], sides="<<>>><")


def _held_back(found: Identification) -> Html:
    """How the fitted arm follows runs that it has not seen; empty if there are none."""
    rows = [row for run, columns in found.checks for row in _column_rows(run.name, columns)]
    return _column_table(rows) if rows else Html()


def _pictures(found: Identification, progress: Callable[[float], None]) -> Html:
    figures, drawn = fit_figures(found), []
    for done, draw in enumerate(figures.values()):
        progress(done / len(figures))
        figure = draw()
        title = figure.get_suptitle().removeprefix(f"{found.arm.name}: ")
        drawn.append(picture(figure, found.arm.name, title))
    return element("div", *drawn, class_="pictures") if drawn else Html()


def _search(found: Identification) -> Html:
    """Search and versions of libraries; the foot of the page has the command and flexarm's."""
    agreeing, count = found.agreeing_starts
    rows: list[tuple[str, ...]] = [
        ("simulations with derivatives", f"{found.evaluations}"),
        ("starts", f"{count}" if count == 1 else f"{agreeing} of {count} ended here"),
        ("Python", platform.python_version()),
        *((name, version(name)) for name in LIBRARIES),
    ]
    return table(rows, sides="<<", heading=False)
