"""One picture of a result, as a figure."""

from __future__ import annotations

from matplotlib.figure import Figure

from flexarm.analysis.control_design.control_design import ControlDesign
from flexarm.arguments import check_object
from flexarm.errors import ResultError
from flexarm.hints import did_you_mean
from flexarm.identification.worth.identification import Identification
from flexarm.plots.registry import standard_figures
from flexarm.results.result import Result
from flexarm.sweeps.sensitivity.gradient import Gradient
from flexarm.sweeps.sweep_result import SweepResult


def plot(
    result: Result | SweepResult | Gradient | ControlDesign | Identification, name: str | None = None
) -> Figure:
    """Draw one of the standard pictures of a result, which a notebook shows.

    Parameters
    ----------
    result : Result, SweepResult, Gradient, ControlDesign or Identification
    name : str, optional
        Which picture, as of ``flexarm plot --figure``: ``"tip"``, ``"joints"``, ..; the first one unless given.

    Returns
    -------
    Figure
        To be changed, or saved by its ``savefig``.

    Raises
    ------
    ResultError
        The result has no such picture; those that it has are named.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/usoro_two_link.yaml")
    >>> figure = flexarm.plot(flexarm.simulate(arm), "tip")
    >>> figure.savefig("tip.png")
    """
    check_object("result", result, Result, SweepResult, Gradient, ControlDesign, Identification)
    figures = standard_figures(result)
    if name is None:
        name = next(iter(figures))
    if not isinstance(name, str) or name not in figures:
        known = f"there are {', '.join(figures)}"
        raise ResultError(
            f"no picture {name!r} of this result", hint=did_you_mean(str(name), list(figures), known)
        )
    return figures[name]()
