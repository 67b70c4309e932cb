"""Fixed steps of a run that are longer than the vibrations of its arm allow: what is said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from flexarm.catalogue import METHODS
from flexarm.solvers.stability import linearised_eigenvalues, longest_stable_step

if TYPE_CHECKING:
    from flexarm.simulation.forward.parametric_model import ModelInstance
    from flexarm.simulation.forward.stored_equations import StoredEquations, StoredInstance
    from flexarm.simulation.state.state_equation import StateEquation


def unstable_step(
    instance: ModelInstance | StoredInstance,
    state_equation: StateEquation | StoredEquations,
    t: float,
    y: NDArray[np.float64],
) -> str:
    """Say that the step of a run is beyond the stability limit of its method at a state y (n_y,); empty if not."""
    run = instance.arm.run
    if METHODS[run.method].adaptive or run.step is None:
        return ""
    rhs, p = state_equation.native_rhs.at(instance.parameters)
    limit = longest_stable_step(run.method, linearised_eigenvalues(rhs, t, y, p))
    if run.step <= limit:
        return ""
    return (
        f"run.step = {run.step:g} s is beyond the stability limit of {run.method}, {limit:.2g} s at t = {t:.3g} s: "
        "vibrations grow without bound"
    )
