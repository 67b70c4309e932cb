"""Generalised Jacobian of an arm on a floating base, and where it is singular.

Nothing drives the base, so that its momentum stays what it is, and the joints' rates move the tip by

    J* = J_r - J_f M_ff^-1 M_fr,

f being the base's coordinates and passive joints, r the driven joints of the rigid arm [UmetaniYoshida1989]. Where J*
loses rank the tip cannot be moved in every direction although the arm is not stretched: a dynamic singularity, which
depends on masses and on the path taken [PapadopoulosDubowsky1993]. The internal dynamics has the matrix
M_ff - M_fr J_r^-1 J_f; its determinant is that of M_ff J* over that of J_r, and it is singular at the same places.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from flexarm.codegen.native import compile_native
from flexarm.errors import ModelError
from flexarm.formulations.formulation import make_formulation
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.task.inverse_kinematics import SINGULAR, singular_values
from flexarm.simulation.inverse.task.minimal_coordinates import chain_motion_of


def generalised_jacobians(problem: InverseProblem, thetas: np.ndarray) -> np.ndarray:
    """Generalised Jacobians (k, rows, joints) at postures (k, n_dof) [rad, m]; J_r itself on a fixed base."""
    dynamics, joints = problem.rigid_dynamics, problem.kinematics.joints
    internal, J = dynamics.undriven_rows, problem.kinematics.map(thetas)[1]
    if not internal:
        return J[:, :, joints]
    M = compile_native(_inertia_of_the_free(problem)).map(np.zeros(len(thetas)), thetas)
    M = M.reshape(len(thetas), -1, len(internal)).transpose(0, 2, 1)
    reaction = np.linalg.solve(M[:, :, : len(internal)], M[:, :, len(internal) :])
    return J[:, :, joints] - J[:, :, internal] @ reaction


def _inertia_of_the_free(problem: InverseProblem) -> ca.Function:
    """(t, theta, p) -> [M_ff, M_fr] of the rigid arm, by rates of minimal coordinates."""
    dynamics, chain = problem.rigid_dynamics, problem.chain
    theta, rates = (ca.SX.sym(name, chain.coordinates.n_dof) for name in ("theta", "theta_d"))
    moving = chain_motion_of(chain, theta, rates, rates)
    M = make_formulation(problem.arm.run.formulation, chain).mass_matrix(moving.theta)
    M = ca.jacobian(M @ moving.theta_d, rates)
    found = M[dynamics.undriven_rows, [*dynamics.undriven_rows, *dynamics.joint_rows]]
    return ca.Function("inertia", [dynamics.t, theta, ca.SX.sym("p", 0)], [ca.densify(found)])


def check_dynamically_regular(problem: InverseProblem, times: np.ndarray, thetas: np.ndarray) -> None:
    """Refuse dynamic singularities among postures (k, n_dof) [rad, m] at times (k,) [s].

    Raises
    ------
    ModelError
        There is one; the time is named.
    """
    values = singular_values(problem.kinematics.scaled(generalised_jacobians(problem, thetas)))
    ratio = values[:, -1] / values[:, 0]
    worst = int(ratio.argmin())
    if problem.floats and ratio[worst] < SINGULAR:
        raise ModelError(
            f"{problem.where}: dynamic singularity at t = {times[worst]:.6g} s: the least singular value of the "
            f"generalised Jacobian is {ratio[worst]:.2g} of the largest; the base gives way so that the joints cannot "
            "move the tip in every direction (choose another path or posture, or a heavier base)"
        )
