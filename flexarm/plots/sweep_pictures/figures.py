"""Records of a sweep: curves over one key, maps over two, parallel coordinates over more; and its time histories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from matplotlib import style
from matplotlib.figure import Figure

from flexarm.plots.drawing.style import RC
from flexarm.plots.sweep_pictures.curves import curves
from flexarm.plots.sweep_pictures.maps import maps
from flexarm.plots.sweep_pictures.parallel_coordinates import parallel
from flexarm.plots.sweep_pictures.scales import constants, differ
from flexarm.plots.sweep_pictures.series import has_series, series
from flexarm.sweeps.measures.scalar_measures import COSTS
from flexarm.sweeps.sweep_result import SweepResult
from flexarm.sweeps.variable import Variable

KINDS: dict[int, tuple[str, Callable[[SweepResult, list[str]], Figure]]] = {
    1: ("curves", curves),
    2: ("maps", maps),
}
"""Number of varied keys -> name of the picture, and what draws it."""
MANY = "parallel", parallel


def sweep_figures(result: SweepResult) -> dict[str, Callable[[], Figure]]:
    """Return what draws each picture of a sweep, by name."""
    result = _without_constants(result)
    name, draw = KINDS.get(len(result.keys_varied), MANY)
    shown = informative_records(result)
    figures = {name: partial(_styled, draw, result, shown)}
    if has_series(result):
        figures["series"] = partial(_styled, lambda result, _: series(result), result, shown)
    return figures


def _without_constants(result: SweepResult) -> SweepResult:
    """The same sweep without keys that have a single value, unless there is no other."""
    single = {dim for dim, size in zip(result.dims, result.failed.shape, strict=True) if size == 1}
    if single == set(result.dims):
        return result

    def squeezed(one: Variable) -> Variable:
        axes = tuple(axis for axis, dim in enumerate(one.dims) if dim in single)
        dims = tuple(dim for dim in one.dims if dim not in single)
        return replace(one, dims=dims, values=one.values.squeeze(axes))

    variables = {name: squeezed(one) for name, one in result.variables.items()}
    coordinates = {name: one for name, one in result.coordinates.items() if one.dims[0] not in single}
    keys = tuple(key for key in result.keys_varied if key in coordinates)
    return SweepResult(variables, coordinates, {**result.attributes, "keys": keys}, result.path)


def informative_records(result: SweepResult) -> list[str]:
    """Names of the records to draw: those that differ from run to run, and costs only if there is nothing else."""
    differing = [name for name in result.records if differ(result[name])]
    return [name for name in differing if name not in COSTS] or differing or list(result.records)


def _styled(draw: Callable, result: SweepResult, shown: list[str]) -> Figure:
    with style.context(["default", RC]):
        figure = draw(result, shown)
        if same := constants(result):
            figure.suptitle(f"{figure.get_suptitle()}\n{same}", x=0.01, ha="left")
        return figure
