"""Trial: one run of a description in some resolution, and what is compared of it."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import eigh

from flexarm.analysis.convergence.resolution import Resolution
from flexarm.catalogue import FORMULATIONS
from flexarm.description.arm.arm import Arm
from flexarm.errors import FlexarmError
from flexarm.memory import check_memory
from flexarm.model.chain_builder import build_chain
from flexarm.progress import Progress
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.simulation.forward.prepare import prepare_run
from flexarm.simulation.forward.single_run import SingleRun
from flexarm.simulation.state.initial_state import initial_state
from flexarm.simulation.state.tuned_shapers import tuned_shapers

RECORDED = ("point_position", "link_deflection")
BYTES_PER_MODE = 3e6
"""Memory that derivation and compilation take for one mode, measured on arms in space with 16 segments."""


class OutOfTime(Exception):
    """A run took longer than it may."""


class Interrupted(Exception):
    """The user wants no further run."""


@dataclass(frozen=True, eq=False)
class Trial:
    """One run in one resolution.

    Attributes
    ----------
    label : str
        What was changed.
    resolution : Resolution
    arm : Arm
        The description in this resolution.
    failure : str
        Why there is nothing to compare; empty if all went well.
    tip : (k, 3) [m]
        Position of the tip at the samples.
    deflection : (k, links, 3) [m]
        Deflection of the links' ends, in their axes.
    frequencies : (f,) [Hz]
        Lowest natural frequencies with the joints held, in the initial posture and without gravity: one for each
        flexible link.
    steps : int
    operations : float
        Evaluations of the equations times their operations: the cost, which depends on no other work of the machine.
    seconds : float
        Time that the integrator took.
    preparation : float [s]
        Time of derivation and compilation.
    """

    label: str
    resolution: Resolution
    arm: Arm
    failure: str = ""
    tip: np.ndarray = field(default_factory=lambda: np.empty((0, 3)))
    deflection: np.ndarray = field(default_factory=lambda: np.empty((0, 0, 3)))
    frequencies: np.ndarray = field(default_factory=lambda: np.empty(0))
    steps: int = 0
    operations: float = math.inf
    seconds: float = 0.0
    preparation: float = 0.0

    def distance(self, other: Trial) -> float:
        """Largest distance of the tips over the run [m]."""
        return float(np.linalg.norm(self.tip - other.tip, axis=-1).max())

    def deflection_difference(self, other: Trial) -> float:
        """Largest difference of the deflections of the links' ends over the run [m]."""
        return float(np.linalg.norm(self.deflection - other.deflection, axis=-1).max(initial=0.0))

    def frequency_difference(self, other: Trial) -> float:
        """Largest relative difference of the lowest frequencies that both have; NaN where there are none."""
        n = min(len(self.frequencies), len(other.frequencies))
        return float(np.abs(self.frequencies[:n] / other.frequencies[:n] - 1).max()) if n else math.nan


def run_trial(
    label: str, resolution: Resolution, arm: Arm, progress: Progress, allowed: float = math.inf
) -> Trial:
    """Simulate an arm in its resolution; a failure is part of the trial.

    Parameters
    ----------
    label : str
    resolution : Resolution
    arm : Arm
    progress : callable
    allowed : float [s]
        Time after which the run is given up.

    Raises
    ------
    Interrupted
        `progress` raised KeyboardInterrupt.
    """
    end = time.monotonic() + allowed
    interrupted = False

    def watch(fraction: float, t: float | None) -> None:
        nonlocal interrupted
        if time.monotonic() > end:
            raise OutOfTime(f"given up after {allowed:.0f} s at t = {t:.3g} s")
        try:
            progress(fraction, t)
        except KeyboardInterrupt:
            interrupted = True
            raise

    began = time.perf_counter()
    try:
        check_memory(BYTES_PER_MODE * resolution.n_modes, f"an arm of {resolution.n_modes} modes", "")
        watch(0.0, 0.0)
        moved = tuned_shapers(_quickest(arm))
        model = ParametricModel([moved], RECORDED)
        run = prepare_run(moved, model=model)
        preparation = time.perf_counter() - began
        tip, deflection = _record(run, watch)
    except KeyboardInterrupt:
        raise Interrupted from None
    except (FlexarmError, OutOfTime, np.linalg.LinAlgError, MemoryError) as fault:
        if interrupted:
            raise Interrupted from None
        reason = str(fault).splitlines()[0] if str(fault) else type(fault).__name__
        return Trial(label, resolution, arm, failure=reason)
    if interrupted or run.message.startswith("interrupted"):
        raise Interrupted
    if run.status != "complete" or not np.isfinite(tip).all():
        return Trial(label, resolution, arm, failure=run.message or "the motion is not finite")
    return Trial(
        label,
        resolution,
        arm,
        tip=tip,
        deflection=deflection,
        frequencies=_held_frequencies(model, run, sum(link.n_modes > 0 for link in arm.links)),
        steps=run.integration.steps,
        operations=float(run.integration.evaluations) * model.state_equation.rhs.n_instructions(),
        seconds=run.solve_seconds,
        preparation=preparation,
    )


def top_frequency(arm: Arm) -> float:
    """Highest frequency of the links with their joints locked [rad/s], with which the number of steps grows."""
    found = (link.locked_frequencies() for link in build_chain(arm).assembled_links if link.n_modes)
    return max((float(one[np.isfinite(one)].max(initial=0.0)) for one in found), default=0.0)


def _quickest(arm: Arm) -> Arm:
    """The arm in the formulation with the fewest operations; whole and with finite rotations all say the same."""
    if arm.link_rotation != "finite" or not arm.products_of_deflections:
        return arm
    run = arm.run.model_copy(update={"formulation": next(iter(FORMULATIONS))})
    return arm.model_copy(update={"run": run})


def _record(run: SingleRun, watch: Progress) -> tuple[np.ndarray, np.ndarray]:
    """Tip (k, 3) and deflection of the links' ends (k, links, 3) over a run [m]."""
    size = 8 * 3 * run.n_samples * (1 + len(run.instance.arm.links))
    check_memory(3 * size, f"the tip at {run.n_samples} samples", "raise run.sample")
    tips, deflections = [], []
    for block in run.blocks(watch):
        tips.append(block["point_position"][:, -1].copy())
        deflections.append(block["link_deflection"][:, :, -1].copy())
    return np.concatenate(tips), np.concatenate(deflections)


def _held_frequencies(model: ParametricModel, run: SingleRun, count: int) -> np.ndarray:
    """Lowest frequencies of strain against inertia with all joints held, (count,) [Hz]."""
    instance = model.instance(run.instance.arm)
    rows = list(instance.chain.coordinates.all_modes)
    if not rows:
        return np.empty(0)
    theta, *_ = initial_state(instance.arm, instance.chain)
    M = model.mass_matrices([instance], [theta])[0][np.ix_(rows, rows)]
    K = instance.chain.strain_stiffness[np.ix_(rows, rows)]
    squares = eigh(K, (M + M.T) / 2, eigvals_only=True, subset_by_index=[0, count - 1])
    return np.sqrt(np.maximum(squares, 0)) / (2 * np.pi)
