"""Operations and time of all formulations against the number of links, beside the published formulas."""

from __future__ import annotations

from collections.abc import Callable

from matplotlib import style
from matplotlib.figure import Figure

from flexarm.comparison.cost_scaling import CostScaling, ScalingPoint
from flexarm.comparison.published_counts import (
    BOOK_PRODUCTS,
    BOOK_SUMS,
    FL_4_PRODUCTS,
    FL_4_SUMS,
    FL_PRODUCTS,
    FL_SUMS,
    GA_PRODUCTS,
    GA_SUMS,
)  # fmt: skip
from flexarm.plots.drawing.style import QUIET, RC, InlineFigure, colour

WIDE = 7.5  # inches: three panels side by side
PUBLISHED = {
    "[BK83] Lagrangian": (BOOK_PRODUCTS, BOOK_SUMS, (0, (5, 1.5))),
    "[GA09] Gibbs-Appell": (GA_PRODUCTS, GA_SUMS, (0, (1, 1.2))),
    "[FL17] 4x4, planar": (FL_4_PRODUCTS, FL_4_SUMS, (0, (5, 1.5, 1, 1.5))),
    "[FL17] 3x3, planar": (FL_PRODUCTS, FL_SUMS, (0, (3, 1, 1, 1, 1, 1))),
}
"""Label -> formulas of products and sums, line style."""


def formulation_costs(measured: CostScaling) -> Figure:
    """Draw operations (above) and microseconds (below) of one evaluation, one column for each number of modes."""
    with style.context(["default", RC]):
        return _draw(measured)


def _draw(measured: CostScaling) -> Figure:
    modes = sorted({point.m for point in measured.points})
    names = list(dict.fromkeys(point.cost.formulation for point in measured.points))
    last = max(point.n for point in measured.points)
    figure = InlineFigure(figsize=(WIDE, 5.4), layout="constrained")
    kind = "spatial" if measured.spatial else "planar"
    figure.suptitle(
        f"One evaluation of the accelerations: {kind} chains of equal flexible links", x=0.01, ha="left"
    )
    panels = figure.subplots(2, len(modes), sharex=True, sharey="row", squeeze=False)
    rows: list[tuple[str, Callable[[ScalingPoint], float]]] = [
        ("products and sums", lambda point: point.cost.shared.products + point.cost.shared.sums),
        ("time (µs)", lambda point: point.cost.microseconds),
    ]
    for column, m in enumerate(modes):
        for row, (label, value) in enumerate(rows):
            axes = panels[row, column]
            for index, name in enumerate(names):
                curve = measured.curve(name, m)
                axes.plot(
                    [point.n for point in curve], [value(point) for point in curve],
                    color=colour(index), marker=".", markersize=4, label=name,
                )  # fmt: skip
            axes.set_yscale("log")
            axes.set_xlim(0.5, last + 0.5)
            if column == 0:
                axes.set_ylabel(label)
        for label, (products, sums, dashes) in PUBLISHED.items():
            n = range(2, last + 1)  # the formulas count from the second link on and are negative for one
            total = [products.count(k, k, m) + sums.count(k, k, m) for k in n]
            panels[0, column].plot(n, total, color=QUIET, linestyle=dashes, linewidth=1.0, label=label)
        panels[0, column].set_title("1 mode each" if m == 1 else f"{m} modes each")
        panels[1, column].set_xlabel("links")
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower left", ncols=4)
    return figure
