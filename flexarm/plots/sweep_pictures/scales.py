"""Scales of keys and records in pictures of sweeps, in units that read well."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from flexarm.plots.drawing.style import WIDTH, InlineFigure, length_unit
from flexarm.sweeps.measures.scalar_measures import COSTS, where_absent
from flexarm.sweeps.sweep_result import SweepResult
from flexarm.sweeps.variable import Variable

FAILED = "#D55E00"
LOG_RATIO = 10.0
POWER_RATIO = 100.0
ROUND_OFF = 1e-12
"""Relative difference of values that are the same."""
NOTHING = 1e-10
"""Absolute one in SI units: an arm of tens of joules that loses less has lost nothing."""
SAME_WIDTH = 96
"""Characters of a line above a picture."""
PLAIN = 1e-3, 1e5
"""Largest values of records whose labels need no power of ten."""


@dataclass(frozen=True)
class Scale:
    """Scale of a drawn key or record.

    Attributes
    ----------
    factor : float
        From SI to the unit of the label.
    label : str
        Name and unit.
    log : bool
        Whether its axis is logarithmic.
    few_decades : bool
        Whether powers of ten alone would label a logarithmic axis too sparsely.
    """

    factor: float
    label: str
    log: bool = False
    few_decades: bool = False


def key_scale(result: SweepResult, key: str) -> Scale:
    """Scale of a varied key: logarithmic if its values were spaced by ratio."""
    coordinate = result.coordinates[key]
    factor, unit = readable(coordinate)
    values, log = coordinate.values, is_logarithmic(coordinate.values)
    return Scale(factor, f"{key}{unit}", log, log and np.nanmax(values) < 100 * np.nanmin(values))


def record_scale(result: SweepResult, name: str, titled: bool = False) -> Scale:
    """Scale of a record; the label has the power of ten, for which there is no room at the end of an axis.

    Of a record of some quantity, whose name is long, the label has the kind alone where a title says the rest.
    """
    variable = result.variables[name]
    name = name.partition(":")[0] if titled else name
    factor, unit = readable(variable)
    largest = factor * max(map(abs, extent(variable.values)))
    if PLAIN[0] <= largest < PLAIN[1]:
        return Scale(factor, f"{name}{unit}")
    power = 3 * int(np.floor(np.log10(largest) / 3))
    return Scale(factor * 10.0**-power, f"{name} (1e{power}{unit.replace(' (', ' ') or ')'}")


def extent(values: np.ndarray, nothing: float = NOTHING) -> tuple[float, float]:
    """Return the least and the greatest of values (..) in SI units, NaN left out.

    Where they differ by round-off only, further apart than they are.
    """
    known = values[np.isfinite(values)]
    if known.size == 0:
        return 0.0, 1.0
    low, high = known.min(), known.max()
    if differ(known, nothing):
        return float(low), float(high)
    middle, half = (low + high) / 2, max(abs(low), abs(high), 1.0) / 2
    return float(middle - half), float(middle + half)


def differ(values: np.ndarray, nothing: float = NOTHING) -> bool:
    """Return whether values (..), NaN left out, differ by more than round-off."""
    known = values[np.isfinite(values)]
    return known.size > 0 and bool(np.ptp(known) > max(nothing, ROUND_OFF * np.max(np.abs(known))))


def constants(result: SweepResult) -> str:
    """Say which records are the same in all runs, and their values: no curve or map shows more of them."""
    same = []
    for name in result.records:
        values = result[name]
        if name not in COSTS and np.isfinite(values).sum() > 1 and not differ(values):
            factor, unit = readable(result.variables[name])
            mean = factor * _but_round_off(float(np.nanmean(values)))
            where = "" if np.isfinite(values).all() else " where there is one"
            same.append(f"{name} = {mean:.4g}{unit.translate({40: None, 41: None})}{where}")
    if not same:
        return ""
    words = ", ".join(same).replace("-", "\N{MINUS SIGN}")
    return "\n".join(textwrap.wrap(f"the same in all runs: {words}", SAME_WIDTH))


def _but_round_off(value: float) -> float:
    return value if abs(value) > NOTHING else 0.0


def readable(variable: Variable) -> tuple[float, str]:
    """Return a factor to a unit that reads well, and what a label calls it."""
    if variable.units in ("rad", "rad/s"):
        return float(np.rad2deg(1.0)), f" ({variable.units.replace('rad', 'deg')})"
    if variable.units == "m":
        factor, unit = length_unit(variable.values[np.isfinite(variable.values)])
        return factor, f" ({unit})"
    return 1.0, "" if variable.units == "1" else f" ({variable.units.replace('^2', '²')})"


def is_logarithmic(values: np.ndarray) -> bool:
    """Return whether values (k,) lie evenly in the logarithm, over a decade at least, or are drawn that way."""
    known = np.sort(values[np.isfinite(values)])
    if known.size < 3 or known[0] <= 0 or known[-1] / known[0] < LOG_RATIO:
        return False
    middle = np.median(known)
    return abs(np.log(middle / np.sqrt(known[0] * known[-1]))) < abs(
        np.log(middle / ((known[0] + known[-1]) / 2))
    )


def follows_power(values: np.ndarray) -> bool:
    """Return whether values (k,) are positive and span decades, as powers of a key do, so that logarithms show them."""
    known = values[np.isfinite(values)]
    return known.size > 2 and known.min() > 0 and known.max() > POWER_RATIO * known.min()


def sweep_figure(result: SweepResult, what: str, height: float) -> Figure:
    """Return an empty figure titled with the arm's name, what it shows and how many runs failed."""
    figure = InlineFigure(figsize=(WIDTH, height), layout="constrained")
    n, failed = result.failed.size, int(np.count_nonzero(result.failed))
    note = f", {failed} of them failed" if failed else ""
    figure.suptitle(f"{result.arm.name}: {what} ({n} runs{note})", x=0.01, ha="left")
    return figure


def record_title(result: SweepResult, name: str, mark: str) -> list[str]:
    """Parts of the title of a record: what it is, and what it means that some runs have no such number.

    `mark` says how these are shown.
    """
    absent = int(np.count_nonzero(np.isnan(result[name]) & ~result.failed))
    meaning = result.variables[name].long_name
    return (
        [meaning, f"{mark}: {where_absent(name)}, {absent} of {result.failed.size}"] if absent else [meaning]
    )


def set_scales(axes: Axes, x: Scale | None = None, y: Scale | None = None) -> None:
    """Label axes and make them logarithmic where the values are."""
    if x is not None:
        axes.set_xlabel(x.label)
        axes.set_xscale("log" if x.log else "linear")
        _set_ticks(axes.xaxis, x)
    if y is not None:
        axes.set_ylabel(y.label)
        axes.set_yscale("log" if y.log else "linear")
        _set_ticks(axes.yaxis, y)


def _set_ticks(axis: Axis, scale: Scale) -> None:
    """Label 1, 2 and 5 of every decade where decades are few."""
    if scale.few_decades:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axis.set_minor_formatter(NullFormatter())
