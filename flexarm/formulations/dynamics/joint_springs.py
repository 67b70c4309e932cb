"""Springs of joints and the motors behind them: torques, forces and energies, [Spong1987]."""

from __future__ import annotations

from typing import NamedTuple

import casadi as ca

from flexarm.formulations.dynamics.friction import friction
from flexarm.model.chain import Chain
from flexarm.model.parts.joint_spring import JointSpring


class SpringMotion(NamedTuple):
    """A joint's spring in motion.

    Attributes
    ----------
    spring : JointSpring
    joint : int
        Row of the joint.
    motor : int or None
        Row of the motor, if there is one.
    twist, twist_rate : SX [rad, rad/s]
        Of the spring: motor less joint, or rest angle less joint.
    motor_rate : SX [rad/s]
        Of the motor; zero without one.
    """

    spring: JointSpring
    joint: int
    motor: int | None
    twist: ca.SX
    twist_rate: ca.SX
    motor_rate: ca.SX

    @property
    def torque(self) -> ca.SX:
        """Torque of spring and damper on the link, K (theta_m - q) + d (theta_m_d - q_d) [N m, N]."""
        return self.spring.stiffness * self.twist + self.spring.damping * self.twist_rate


def spring_motions(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> list[SpringMotion]:
    """Motion of the springs of all joints at theta (n_theta,), theta_d (n_dof,)."""
    found, layout = [], chain.coordinates
    for spring in chain.springs:
        joint, motor = layout.joints[spring.joint], layout.motors[spring.joint]
        assert joint is not None
        angle, rate = (spring.rest, ca.SX(0)) if motor is None else (theta[motor], theta_d[motor])
        found.append(SpringMotion(spring, joint, motor, angle - theta[joint], rate - theta_d[joint], rate))
    return found


def spring_forces(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    """Generalised forces (n_dof,) [N m, N] that springs and dampers take: -torque at the joint, torque at the motor."""
    forces = ca.SX.zeros(chain.coordinates.n_dof)
    for moving in spring_motions(chain, theta, theta_d):
        forces[moving.joint] -= moving.torque
        if moving.motor is not None:
            forces[moving.motor] += moving.torque
    return forces


def motor_friction(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    """Generalised forces (n_dof,) [N m, N] that the friction of the motors of elastic joints takes."""
    forces = ca.SX.zeros(chain.coordinates.n_dof)
    for moving in spring_motions(chain, theta, theta_d):
        if moving.motor is not None:
            forces[moving.motor] += friction(moving.spring, moving.motor_rate)
    return forces


def spring_energy(chain: Chain, theta: ca.SX) -> ca.SX:
    """Elastic energy of the joints' springs, K (theta_m - q)^2 / 2 [J]."""
    motions = spring_motions(chain, theta, ca.SX.zeros(chain.coordinates.n_dof))
    return sum((moving.spring.stiffness * moving.twist**2 / 2 for moving in motions), ca.SX(0))


def motors_energy(chain: Chain, theta_d: ca.SX) -> ca.SX:
    """Kinetic energy of the motors of elastic joints, k^2 J_m theta_m_d^2 / 2 [J]."""
    total, rows = ca.SX(0), chain.coordinates.motors
    for spring in chain.springs:
        if (row := rows[spring.joint]) is not None:
            total += spring.motor_inertia * theta_d[row] ** 2 / 2
    return total
