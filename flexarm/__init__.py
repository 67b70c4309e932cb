"""Simulation of robot arms whose links bend and twist.

>>> import flexarm
>>> arm = flexarm.load_arm("robots/usoro_two_link.yaml")  # doctest: +SKIP
>>> result = flexarm.simulate(arm)  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flexarm.analysis.check import CheckReport, check_arm
    from flexarm.analysis.equilibrium import Equilibrium, static_equilibrium
    from flexarm.analysis.linearization import LinearModel, linearize
    from flexarm.analysis.natural_modes import NaturalModes, natural_modes
    from flexarm.analysis.validity import run_warnings
    from flexarm.api import inverse, operational_space, payload, simulate
    from flexarm.description.arm.arm import Arm
    from flexarm.description.motion.trajectory import Trajectory
    from flexarm.description.reading.loader import load_arm, load_trajectory, parse_arm, parse_trajectory
    from flexarm.errors import FlexarmError, ModelError, ResultError, SolverError, SpecError
    from flexarm.formulations.motion_equations import MotionEquations, motion_equations
    from flexarm.plots.animation import animate
    from flexarm.reports.report import report
    from flexarm.results.reader import open_result
    from flexarm.results.result import Result
    from flexarm.sweeps.sweep import sweep
    from flexarm.sweeps.sweep_files import open_sweep
    from flexarm.sweeps.sweep_result import SweepResult
    from flexarm.validation.run import validate

__version__ = "0.1.0"

__all__ = [
    "Arm", "CheckReport", "Equilibrium", "FlexarmError", "LinearModel", "ModelError", "MotionEquations",
    "NaturalModes", "Result", "ResultError", "SolverError", "SpecError", "SweepResult", "Trajectory",
    "animate", "check_arm", "inverse", "linearize", "load_arm", "load_trajectory", "motion_equations",
    "natural_modes", "open_result", "open_sweep", "operational_space", "parse_arm", "parse_trajectory",
    "payload", "report", "run_warnings", "simulate", "static_equilibrium", "sweep", "validate",
]  # fmt: skip

_HOMES = {
    "flexarm.analysis.linearization": ("LinearModel", "linearize"),
    "flexarm.analysis.natural_modes": ("NaturalModes", "natural_modes"),
    "flexarm.analysis.equilibrium": ("Equilibrium", "static_equilibrium"),
    "flexarm.api": ("inverse", "operational_space", "payload", "simulate"),
    "flexarm.formulations.motion_equations": ("MotionEquations", "motion_equations"),
    "flexarm.errors": ("FlexarmError", "ModelError", "ResultError", "SolverError", "SpecError"),
    "flexarm.plots.animation": ("animate",),
    "flexarm.reports.report": ("report",),
    "flexarm.analysis.check": ("CheckReport", "check_arm"),
    "flexarm.results.result": ("Result",),
    "flexarm.analysis.validity": ("run_warnings",),
    "flexarm.description.arm.arm": ("Arm",),
    "flexarm.description.reading.loader": ("load_arm", "load_trajectory", "parse_arm", "parse_trajectory"),
    "flexarm.description.motion.trajectory": ("Trajectory",),
    "flexarm.results.reader": ("open_result",),
    "flexarm.sweeps.sweep_files": ("open_sweep",),
    "flexarm.sweeps.sweep_result": ("SweepResult",),
    "flexarm.sweeps.sweep": ("sweep",),
    "flexarm.validation.run": ("validate",),
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that the command line starts quickly."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'flexarm' has no attribute {name!r}")
    value = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
