"""Sections of a report, as HTML."""

from __future__ import annotations

import io
from collections.abc import Callable

from matplotlib.figure import Figure

from flexarm.analysis.checks.validity import run_warnings
from flexarm.analysis.loads.largest_loads import SIDES, load_rows
from flexarm.description.arm.joint.words import worded
from flexarm.html import Html, element, folded, image, joined, table
from flexarm.plots.registry import PICTURES, standard_figures
from flexarm.reports.key_numbers import key_numbers
from flexarm.results.attributes import ATTRIBUTES
from flexarm.results.events.impacts import ImpactRecord, has_impacts, impact_records, impact_summary
from flexarm.results.events.touches import touch_summary
from flexarm.results.result import Result
from flexarm.results.schema import SIMULATED

DPI = 130
MOST_IMPACTS = 1000
"""Rows of the table of impacts that are listed."""

RUN_ATTRIBUTES = (
    "kind", "status", "formulation", "link_rotation", "method", "rtol", "atol", "task", "step", "residual",
    "iterations",
)  # fmt: skip
"""Root attributes that are listed."""


def header(name: str, what: str, status: str) -> Html:
    """Name of the arm, what the page is about, and whether it is complete."""
    marked = element("span", status, class_="incomplete" if status != "complete" else "complete")
    return element("header", element("h1", name), element("p", f"{what}, ", marked, class_="lead"))


def warnings_section(result: Result) -> Html:
    """Message of the run, and warnings where it left the range of the model."""
    found = [result.message] if result.message else []
    if result.n_samples:
        found += run_warnings(result)
    return joined(element("p", text, class_="warning") for text in found)


def numbers_section(result: Result) -> Html:
    """The key numbers."""
    if not result.n_samples:
        return element("p", "The result holds no sample.")
    return table(key_numbers(result), sides="<<", heading=False)


def loads_section(result: Result) -> Html:
    """Largest loads of joints and links; empty where they were not recorded."""
    rows = load_rows(result)
    return table(rows, sides=SIDES[: len(rows[0])]) if rows else Html()


def impacts_section(result: Result) -> Html:
    """Table of impacts, and what touches soft walls; empty for an arm without walls and limits."""
    if not result.n_samples:
        return Html()
    touches = [element("p", line) for line in touch_summary(result)]
    if not has_impacts(result):
        return joined(touches)
    records = impact_records(result)
    heading = ("impact", "time", "what", "against", "speed before", "after", "impulse", "energy lost")
    rubs = any(record.along for record in records)
    rows: list[tuple[str, ...]] = [
        (*heading, "along: before", "after", "impulse", "slip") if rubs else heading
    ]
    for record in records[:MOST_IMPACTS]:
        rows.append(
            (
                f"{record.impact}",
                f"{record.time:.6f} s",
                record.what,
                record.against,
                f"{record.before:.4g} {record.rate_unit}",
                f"{record.after:.4g} {record.rate_unit}",
                f"{record.impulse:.4g} {record.impulse_unit}",
                f"{record.lost:.3g} J",
                *_along(record, rubs),
            )
        )
    summary = [*(element("p", line) for line in impact_summary(result)), *touches]
    if not records:
        return joined(summary)
    left_out = len(records) - MOST_IMPACTS
    note = [element("p", f"{left_out} more are in the result.")] if left_out > 0 else []
    title = f"All impacts, {len(records)} row{'s' * (len(records) != 1)}"
    return joined([*summary, folded(title, table(rows, sides=">><<>>>>" + ">>><" * rubs), *note)])


def _along(record: ImpactRecord, rubs: bool) -> tuple[str, ...]:
    """Cells of what happens along a wall, if the table has them; those of a limit are empty."""
    if not rubs or record.along is None:
        return ("",) * (4 * rubs)
    before, after, impulse, case = record.along
    return f"{before:.4g} m/s", f"{after:.4g} m/s", f"{impulse:.4g} N s", case


def pictures_section(result: Result, progress: Callable[[float], None]) -> Html:
    """Every picture that `flexarm plot` draws of the result."""
    if not result.n_samples:
        return Html()
    figures = standard_figures(result)
    drawn = []
    for done, (name, draw) in enumerate(figures.items()):
        progress(done / len(figures))
        title = worded(PICTURES[name].title, result.arm.joints)
        drawn.append(picture(draw(), result.arm.name, title))
    return element("div", *drawn, class_="pictures")


def picture(figure: Figure, name: str, title: str) -> Html:
    """A figure of the arm of this name, with what it shows below."""
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=DPI)
    return element(
        "figure",
        image(png.getvalue(), "png", f"{name}: {title}"),
        element("figcaption", f"{title[0].upper()}{title[1:]}."),
    )


def run_section(result: Result) -> Html:
    """Root attributes: how the result was computed, and along which trajectory."""
    attributes = result.attributes
    rows = [(ATTRIBUTES[name], _text(attributes[name])) for name in RUN_ATTRIBUTES if name in attributes]
    run = result.arm.run
    if result.kind in SIMULATED:
        rows += [("duration", f"{run.duration:g} s"), ("sample", f"{run.sample:g} s")]
    parts = [table(rows, sides="<<", heading=False)]
    if attributes.get("trajectory"):
        parts.append(
            folded("Trajectory as it was given (YAML)", element("pre", str(attributes["trajectory"])))
        )
    return joined(parts)


def footer(version: str, command: str) -> Html:
    """Version of flexarm, and the command, which may be empty."""
    lines = [f"Computed by flexarm {version}"]
    code = [": ", element("code", command)] if command else []
    return element("footer", element("p", *lines, *code))


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
