"""Static equilibrium: the posture and deflection in which all accelerations vanish."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.formulations.derivation_cost import derivation
from flexarm.formulations.formulation import make_formulation
from flexarm.model.chain import Chain
from flexarm.simulation.forces.applied_forces import applied_forces, prescribed_motion
from flexarm.simulation.forces.drive_torques import with_pds_on_joints
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.state.holding_integrals import references

ITERATIONS = 500
ROUND_OFF = 1e-9
"""Torque beyond that of friction that is round-off, as a fraction of it."""
TOLERANCE = 1e-12
"""Largest residual force accepted, relative to the forces in the arm."""
DEEPER, SHORTER = 2.0, 0.2
"""Growth of the residual with which a step has run into a soft wall, and part of it that is tried then."""
NEWTON_STEPS = 30
"""Steps after which Newton's method has found an equilibrium or will not."""
POLISHING = 3
"""Newton steps after that, each accepted only if it leaves a smaller residual."""
SYMMETRIC = 1e-12
"""Unsymmetric part of a stiffness that is round-off, relative to its largest entry."""
LARGEST = 1e150
"""Forces beyond have no finite square; in SI units."""


def solve_equilibrium(arm: Arm, chain: Chain, theta: np.ndarray) -> np.ndarray:
    """Stable static equilibrium of the arm under the loads and drives of t = 0.

    Parameters
    ----------
    theta : (n_theta,)
        Where to start; the equilibrium found is the one that the arm, moving slowly, would reach from here. Joints
        whose motion is prescribed stay, and those that dry friction holds; those whose drive has an integral part are
        at its reference.

    Returns
    -------
    (n_theta,)
        Coordinates in equilibrium.

    Raises
    ------
    ModelError
        No equilibrium was found, it is unstable (an arm that stands on its joint), or dry friction is too weak.
    """
    statics = StaticForces.of(arm, chain)
    theta = relax(statics, statics.placed(theta))
    _check_stable(statics.stiffness(theta), arm)
    check_friction(statics, chain, theta)
    return theta


@dataclass(frozen=True)
class StaticForces:
    """Forces on an arm at rest at t = 0, and their stiffness, in the rows of the coordinates that are free to move.

    One of its joints may turn steadily; the others then rest in the frame that turns with it, and the centrifugal
    forces count.

    Attributes
    ----------
    arm : Arm
    free : list of int
        Those rows: joints and modes that are neither held, also by dry friction, nor prescribed. The base is held.
    functions : tuple of three casadi.Function
        (t, theta, u, rate) -> residual; stiffness; bias and external forces in all rows.
    tables : DM
        The description's tables at t = 0.
    references : dict
        Rows of joints that are not free because an integral part leads them to their reference -> that reference.
    rate : float [rad/s]
        Of the joint that turns.
    """

    arm: Arm
    free: list[int]
    functions: tuple[ca.Function, ca.Function, ca.Function]
    tables: ca.DM
    references: dict[int, float] = field(default_factory=dict)
    rate: float = 0.0

    @classmethod
    def of(
        cls, arm: Arm, chain: Chain, held: Collection[int] = (), turning: Sequence[int] = ()
    ) -> StaticForces:
        """Derive the forces; joints of the rows ``held`` and those whose motion is prescribed stay where they are.

        ``turning`` are the rows of a joint that turns steadily, and of its motor; the last one is kept turning.
        """
        arm, layout = with_pds_on_joints(arm), chain.coordinates
        signals, theta = Signals(ca.SX.sym("t")), ca.SX.sym("theta", layout.n_theta)
        rate, theta_d = ca.SX.sym("rate"), ca.SX.zeros(layout.n_dof)
        held = {*held, *prescribed_motion(arm, chain, signals), *layout.base}
        for row in turning:
            theta_d[row] = rate
        held.update(turning[-1:])
        led = {row: angle for row, angle in references(arm, chain).items() if row not in held}
        held.update(led, dry_rows(arm, chain).values())
        free = [
            row for row in range(layout.n_dof) if row not in held
        ]  # the same rows in theta: the base comes last
        external = applied_forces(arm, chain, signals, theta, theta_d).forces(chain)
        with derivation(chain, arm.run.formulation):
            bias = make_formulation(arm.run.formulation, chain).bias(theta, theta_d)
            residual = (bias - external)[free]
            inputs = [signals.t, theta, signals.u, rate]
            functions = (
                ca.Function("residual", inputs, [ca.densify(residual)]),
                ca.Function("stiffness", inputs, [ca.densify(ca.jacobian(residual, theta[free]))]),
                ca.Function("forces", inputs, [ca.densify(bias), ca.densify(external)]),
            )
        return cls(arm, free, functions, signals.values(0.0), led)

    def placed(self, theta: np.ndarray) -> np.ndarray:
        """Coordinates (n_theta,) with the joints that integral parts lead at their references."""
        placed = theta.copy()
        placed[list(self.references)] = list(self.references.values())
        return placed

    def turning_at(self, rate: float) -> StaticForces:
        """Return the same forces with another rate [rad/s] of the joint that turns."""
        return replace(self, rate=rate)

    def residual(self, theta: np.ndarray) -> np.ndarray:
        """Residual force (free,) [N m or N] of the free coordinates at theta (n_theta,)."""
        return self.functions[0](0.0, theta, self.tables, self.rate).full().ravel()

    def forces(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Forces of weight and deflection, and of drives and loads, (n_dof,) each [N m or N], at theta (n_theta,)."""
        bias, external = self.functions[2](0.0, theta, self.tables, self.rate)
        return bias.full().ravel(), external.full().ravel()

    def stiffness(self, theta: np.ndarray) -> np.ndarray:
        """Exact derivative of the residual by coordinates: (free, free) [N m, N; per rad, m] at theta (n_theta,)."""
        return self.functions[1](0.0, theta, self.tables, self.rate).full()


def dry_rows(arm: Arm, chain: Chain) -> dict[int, int]:
    """Rows on which the dry friction of joints acts that move freely, by the joints' numbers from 0."""
    driven = chain.coordinates.driven
    return {i: row for i in arm.dry_joints if (row := driven[i]) is not None}


def check_friction(statics: StaticForces, chain: Chain, theta: np.ndarray) -> None:
    """Refuse a rest at theta (n_theta,) in which dry friction would have to hold more than it can.

    Raises
    ------
    ModelError
        The joint, what it takes, and what its friction holds.
    """
    bias, external = statics.forces(theta)
    for i, row in dry_rows(statics.arm, chain).items():
        joint, needed = statics.arm.joints[i], float((bias - external)[row])
        limit, unit = joint.friction.at_rest, joint.kind.force_unit
        if row not in statics.references and abs(needed) > limit * (1 + ROUND_OFF):
            raise ModelError(
                f"{statics.arm.name}: the friction of joint {i + 1} does not hold it where it begins: that takes "
                f"{abs(needed):.6g} {unit}, but it holds {limit:g} {unit}",
                hint="change initial.joints, or find where it comes to rest with flexarm simulate",
            )


def relax(statics: StaticForces, theta: np.ndarray) -> np.ndarray:
    """Pseudo-transient continuation from theta to a static equilibrium of the free coordinates.

    Parameters
    ----------
    statics : StaticForces
    theta : (n_theta,) [rad, m]
        Where to start.

    Returns
    -------
    (n_theta,) [rad, m]
        Coordinates where no force is left.

    Raises
    ------
    ModelError
        No equilibrium was found.

    Notes
    -----
    [KelleyKeyes1998]: implicit Euler steps of theta_d = -residual with exact Jacobian, whose length grows as the
    residual falls, until they are Newton steps. Where an eigenvalue of the stiffness has a negative real part the step
    stays so short that the arm moves down its potential: unlike Newton's method alone it does not run into
    equilibria that repel. A step into a soft wall, whose force begins there, is taken back and shortened.
    """
    theta, free = theta.copy(), statics.free
    if not free:
        return theta
    force, K = _bounded(statics, theta)
    scale = 1.0 + np.linalg.norm(K, ord=np.inf) * 1e-3
    step = 1.0 / scale
    size = np.linalg.norm(force)
    for _ in range(ITERATIONS):
        if size <= TOLERANCE * scale:
            return _polished(statics, theta)
        resistance = max(1.0 / step, -2.0 * _least_stable(K))
        shift = np.linalg.lstsq(resistance * np.eye(len(free)) + K, -force, rcond=None)[0]
        shift *= min(1.0, 0.5 / max(np.abs(shift).max(), 1e-300))  # at most half a radian (or metre) at once
        theta[free] += shift
        new_force, new_K = _bounded(statics, theta)
        new_size = np.linalg.norm(new_force)
        if statics.arm.has_soft_walls and new_size > DEEPER * size:
            theta[free] -= shift
            step *= SHORTER
            continue
        force, K = new_force, new_K
        step *= np.clip(size / max(new_size, 1e-300), 0.3, 10.0)
        size = new_size
    raise ModelError(
        f"{statics.arm.name}: no static equilibrium found: the forces still differ by {size:.3g} after "
        f"{ITERATIONS} steps; a joint that is driven by a constant torque may have none (give initial.joints near "
        "the posture, or drop initial.equilibrium)"
    )


def nearest_equilibrium(statics: StaticForces, theta: np.ndarray) -> np.ndarray | None:
    """Newton's method from theta (n_theta,) to the static equilibrium next to it, stable or not; None if it finds none.

    An arm that turns may rest, as seen from the turning frame, where its potential has no minimum: gyroscopic forces
    hold it, as they hold a shaft beyond its critical rate.
    """
    theta = theta.copy()
    for _ in range(NEWTON_STEPS):
        force, K = statics.residual(theta), statics.stiffness(theta)
        if not np.maximum(np.abs(force).max(initial=0.0), np.abs(K).max(initial=0.0)) < LARGEST:
            return None
        if np.linalg.norm(force) <= TOLERANCE * (1.0 + np.linalg.norm(K, ord=np.inf) * 1e-3):
            return _polished(statics, theta)
        theta[statics.free] += np.linalg.lstsq(K, -force, rcond=None)[0]
    return None


def _bounded(statics: StaticForces, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Evaluate residual and stiffness, whose squares must be finite."""
    force, K = statics.residual(theta), statics.stiffness(theta)
    if np.maximum(np.abs(force).max(), np.abs(K).max()) < LARGEST:
        return force, K
    raise ModelError(
        f"{statics.arm.name}: no static equilibrium found: the forces are beyond all bounds (make initial.modes "
        "or the masses smaller)"
    )


def _polished(statics: StaticForces, theta: np.ndarray) -> np.ndarray:
    """Newton steps down to round-off."""
    force = statics.residual(theta)
    for _ in range(POLISHING):
        better = theta.copy()
        better[statics.free] += np.linalg.lstsq(statics.stiffness(theta), -force, rcond=None)[0]
        left = statics.residual(better)
        if not np.linalg.norm(left) < np.linalg.norm(force):
            break
        theta, force = better, left
    return theta


def _least_stable(K: np.ndarray) -> float:
    """Smallest real part of the eigenvalues of a stiffness (n, n).

    Loads without a potential, such as moments whose axes stay where they are in space, make it unsymmetric: its
    symmetric part may then be indefinite at a stable equilibrium.
    """
    if np.abs(K - K.T).max(initial=0.0) <= SYMMETRIC * np.abs(K).max(initial=0.0):
        return float(np.linalg.eigvalsh((K + K.T) / 2).min(initial=0.0))
    return float(np.linalg.eigvals(K).real.min())


def _check_stable(K: np.ndarray, arm: Arm) -> None:
    if _least_stable(K) < -1e-9 * np.abs(K).max(initial=0.0):
        raise ModelError(
            f"{arm.name}: the equilibrium next to initial.joints is unstable, the arm would fall out of it "
            "(start nearer to the hanging posture)"
        )
