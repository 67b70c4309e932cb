"""Check of a description before a simulation: masses, frequencies, condition, warnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexarm.analysis.checks.angle_units import angle_warnings
from flexarm.analysis.checks.creep_warnings import creep_warnings
from flexarm.analysis.checks.drive_warnings import drive_warnings
from flexarm.analysis.checks.validity import validity_warnings
from flexarm.analysis.operating_points.joint_roles import joint_roles
from flexarm.analysis.small_motions.eigenmodes import eigenmodes
from flexarm.arguments import check_object
from flexarm.catalogue import METHODS
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.link.link import Link
from flexarm.formulations.motion_equations import MotionEquations
from flexarm.links.shapes.quadrature import gauss_panels
from flexarm.model.assembled_link import AssembledLink
from flexarm.model.chain import Chain
from flexarm.model.chain_builder import build_chain
from flexarm.model.segments import segments_of
from flexarm.simulation.contact.gaps.gap_functions import check_outside
from flexarm.simulation.forces.walls.stiff_walls import stiff_walls
from flexarm.simulation.state.initial_state import check_mass_matrix, initial_state
from flexarm.simulation.state.static_equilibrium import StaticForces
from flexarm.simulation.validity.link_measures import States
from flexarm.solvers.stability import longest_stable_step

SOUND_SPEED = 5000.0
"""Speed of sound in steel, aluminium and titanium [m/s]; E / rho of other materials lies within a factor of 5."""
SLENDERNESS = (5.0, 1e5)
"""Length over radius of gyration of links that are beams at all."""
STIFF_SEGMENTS = 0.02
"""Part of the rotation under a moment at its end that the shapes of a segment may lack."""


class Vibrations(NamedTuple):
    """Vibrations of an arm.

    Attributes
    ----------
    frequencies, ratios : (k,) [Hz], (k,) [1]
        Natural frequencies, ascending, and damping ratios.
    poles : (m,) complex [1/s]
        Of these, one of each pair, and of what is damped so much that it does not vibrate.
    """

    frequencies: np.ndarray
    ratios: np.ndarray
    poles: np.ndarray


@dataclass(frozen=True)
class CheckReport:
    """Key numbers of an arm in its initial posture.

    Attributes
    ----------
    coordinates : tuple of str
        Names of the rows of theta.
    link_masses, hub_masses : tuple of float [kg]
        One per link; hubs apart.
    payload_mass, base_mass, total_mass : float [kg]
    joint_inertia : tuple of float [kg m^2]
        About each joint's axis of all that it turns, its rotor with it unless a spring is between, links straight; NaN
        for fixed joints.
    rotor_inertia : tuple of float [kg m^2]
        Of each joint's motor as felt behind its gear: gear^2 times the rotor's own.
    link_frequencies : tuple of (n_modes,) arrays [Hz]
        Of each link by itself with its joint locked, ascending.
    locked, free : Vibrations
        Of the whole arm about its initial posture, without gravity, drives and friction: with all joints held, and
        with joints that move freely.
    arm_frequencies : array [Hz]
        Of the whole arm about its initial posture with free joints, without gravity; zeros of free joints left out.
    condition : float
        Condition number of the mass matrix; 1 of an arm without coordinates.
    stable_steps : dict of str to float [s]
        Largest step with which each method of fixed step stays stable without drives and friction; infinite for a
        rigid arm.
    tip : (3,) [m]
        Initial position of the tip.
    warnings : tuple of str
    """

    coordinates: tuple[str, ...]
    link_masses: tuple[float, ...]
    hub_masses: tuple[float, ...]
    payload_mass: float
    base_mass: float
    total_mass: float
    joint_inertia: tuple[float, ...]
    rotor_inertia: tuple[float, ...]
    link_frequencies: tuple[np.ndarray, ...]
    locked: Vibrations
    free: Vibrations
    arm_frequencies: np.ndarray
    condition: float
    stable_steps: dict[str, float]
    tip: np.ndarray
    warnings: tuple[str, ...]


def check_arm(arm: Arm) -> CheckReport:
    """Key numbers and warnings of an arm in its initial posture.

    Raises
    ------
    ModelError
        The mass matrix is singular, there is no equilibrium to start from, or a point starts inside a wall.

    Examples
    --------
    >>> import flexarm
    >>> report = flexarm.check_arm(flexarm.load_arm("robots/flexible_pendulum.yaml"))
    >>> report.total_mass, report.warnings
    (10.0, ())
    """
    check_object("arm", arm, Arm)
    chain = build_chain(arm)
    equations = MotionEquations(chain, arm.run.formulation)
    theta, theta_d, _ = initial_state(arm, chain)
    M = equations.mass_matrix(theta)
    check_mass_matrix(M, equations.coordinates.labels)
    if arm.contact is not None:
        check_outside(arm, chain, theta)
    frequencies = _arm_frequencies(chain, M)
    hubs, rows = tuple(joint.mass for joint in arm.joints), chain.coordinates.joints
    base_mass = arm.base_body.mass if arm.base_body is not None else 0.0
    link_frequencies = tuple(link.locked_frequencies() / (2 * np.pi) for link in chain.assembled_links)
    free = _vibrations(chain, M, range(1, len(rows) + 1))
    stable_steps = {
        name: longest_stable_step(name, free.poles) for name, method in METHODS.items() if not method.adaptive
    }
    return CheckReport(
        coordinates=chain.coordinates.labels,
        link_masses=tuple(link.mass for link in arm.links),
        hub_masses=hubs,
        payload_mass=arm.payload.mass,
        base_mass=base_mass,
        total_mass=arm.mass,
        joint_inertia=tuple(float("nan") if row is None else float(M[row, row]) for row in rows),
        rotor_inertia=tuple(joint.motor.reflected_inertia for joint in arm.joints),
        link_frequencies=link_frequencies,
        locked=_vibrations(chain, M, joint_roles(arm, "locked").free),
        free=free,
        arm_frequencies=frequencies,
        condition=float(np.linalg.cond(M)) if M.size else 1.0,
        stable_steps=stable_steps,
        tip=equations.points(theta)[-1],
        warnings=(
            *angle_warnings(arm),
            *validity_warnings(arm, chain, _at_start(arm, chain, M, theta, theta_d), "at the start"),
            *(
                f"link {i}: {text}"
                for i, link in enumerate(arm.links, 1)
                for text in _proportion_warnings(link)
            ),
            *(
                f"link {i}: {text}"
                for i, (link, one) in enumerate(zip(arm.links, chain.assembled_links, strict=True), 1)
                for text in _segment_warnings(link, one)
            ),
            *_no_motion_warnings(arm, chain),
            *_resolution_warnings(arm, frequencies, stable_steps),
            *drive_warnings(arm),
            *stiff_walls(arm),
            *creep_warnings(arm, chain, theta, theta_d),
            *_unused_parameters(arm),
        ),
    )


def _at_start(arm: Arm, chain: Chain, M: np.ndarray, theta: np.ndarray, theta_d: np.ndarray) -> States:
    """State at the start, in which links are not yet bent by loads: joints that are free begin to turn as if rigid."""
    bias, external = StaticForces.of(arm, chain).forces(theta)
    layout, theta_dd = chain.coordinates, np.zeros(len(M))
    free = [
        row
        for row, drive in zip(layout.driven, arm.drive, strict=True)
        if row is not None and (drive is None or drive.moves_freely)
    ]
    pairs = zip(layout.joints, layout.motors, strict=True)
    free += [row for row, motor in pairs if row is not None and motor is not None]
    free += layout.base
    theta_dd[free] = np.linalg.solve(M[np.ix_(free, free)], (external - bias)[free])
    return States(theta[None], theta_d[None], theta_dd[None], np.zeros(1), deformed=arm.initial.equilibrium)


def _vibrations(chain: Chain, M: np.ndarray, free: Sequence[int]) -> Vibrations:
    """Vibrations of strain and springs against inertia with their damping, the joints `free` driven by nothing."""
    layout = chain.coordinates
    stay = {*layout.all_modes, *(row for i, row in enumerate(layout.driven, 1) if i not in free)}
    leading = [row for row in range(layout.n_dof) if row not in stay]
    rows = [*leading, *layout.all_modes]
    D, K = chain.elastic_damping[np.ix_(rows, rows)], chain.elastic_stiffness[np.ix_(rows, rows)]
    if not K.any():
        return Vibrations(np.empty(0), np.empty(0), np.empty(0, dtype=complex))
    slowest = min(
        (link.locked_frequencies()[0] for link in chain.assembled_links if link.n_modes), default=0.0
    )
    typical = float(slowest) ** 2 if np.isfinite(slowest) else 0.0
    found = eigenmodes(M[np.ix_(rows, rows)], D, K, typical, np.arange(len(rows)) < len(leading))
    vibrates = np.imag(found.poles) > 0
    return Vibrations(found.natural_frequency[vibrates], found.damping_ratio[vibrates], found.poles)


def _arm_frequencies(chain: Chain, M: np.ndarray) -> np.ndarray:
    """Frequencies of strain and springs against inertia, joints free, ascending without zeros of joints [Hz]."""
    from scipy.linalg import eigh

    n_rigid = len(M) - len(chain.coordinates.all_modes) - len(chain.springs)
    squares = np.maximum(eigh(chain.elastic_stiffness, M, eigvals_only=True), 0)[n_rigid:]
    return np.sqrt(squares) / (2 * np.pi)


def _no_motion_warnings(arm: Arm, chain: Chain) -> list[str]:
    """Say of an arm that cannot move, or only as prescribed, that there is nothing to simulate."""
    layout = chain.coordinates
    if not layout.n_dof:
        return [
            "nothing can move: every joint is fixed and every link rigid, so there is nothing to simulate"
        ]
    drives = zip(layout.driven, arm.drive, strict=True)
    given = [
        row for row, drive in drives if row is not None and drive is not None and drive.motion is not None
    ]
    if len(given) < layout.n_dof:
        return []
    return [
        "nothing moves freely: the motion of every joint is given and every link is rigid, so there is nothing to "
        "simulate; flexarm inverse finds the torques of a motion"
    ]


def _proportion_warnings(link: Link) -> list[str]:
    """Damping ratios that may be percents; and whether this can be a beam.

    EI / mu = (E / rho) r^2 gives the section's radius of gyration r.
    """
    found, ratio = [], max((link.damping_law.assembled_ratio, *link.own_ratios), default=0.0)
    if ratio >= 1:
        found.append(
            f"its damping ratio is {ratio:g}, with which nothing vibrates; {ratio:g} % is {ratio / 100:g}"
        )
    for direction, profile in (("y", link.EI.y), ("z", link.EI.z)):
        if profile is None:
            continue
        radius = np.sqrt(np.mean(profile.values) / np.mean(link.mu.values)) / SOUND_SPEED
        if not SLENDERNESS[0] < link.length / radius < SLENDERNESS[1]:
            found.append(
                f"EI ({direction}) and mu would suit a metal section with a radius of gyration of {radius:.2g} m, "
                f"on a length of {link.length:g} m: one of them may be orders of magnitude off"
            )
    return found


def _segment_warnings(link: Link, assembled: AssembledLink) -> list[str]:
    """Segments whose shapes give way less than they should to a moment (or pull) at their end, however many they are.

    A stretch of length l and stiffness S turns by int deta / S; the shapes by theta(1)^T K^-1 theta(1).
    """
    found: dict[str, float] = {}
    for part, segment in zip(segments_of(link), assembled.segments, strict=True):  # pyright: ignore[reportArgumentType]
        if link.segments == 1:
            return []
        directions = np.array(part.mode_directions)
        for direction, profile in (
            ("y", part.EI.y),
            ("z", part.EI.z),
            ("torsion", part.GJ),
            ("axial", part.EA),
        ):
            rows = np.flatnonzero(directions == direction)
            if rows.size and profile is not None:
                xi, weights = gauss_panels(profile.eta)
                exact = part.length * (weights / profile.at(xi)).sum()
                motion = segment.displacement(1.0) if direction == "axial" else segment.rotation(1.0)
                end = motion[rows, {"y": 2, "z": 1}.get(direction, 0)]
                given = end @ np.linalg.solve(segment.integrals.K[np.ix_(rows, rows)], end)
                found[direction] = max(found.get(direction, 0.0), 1 - given / exact)
    return [
        f"its {link.segments} segments give way {missing:.0%} too little to a {'pull' if d == 'axial' else 'moment'} "
        f"at their ends (direction {d}), and more of them would not help: write modes of family: craig-bampton"
        for d, missing in found.items()
        if missing > STIFF_SEGMENTS
    ]


def _resolution_warnings(arm: Arm, frequencies: np.ndarray, stable_steps: dict[str, float]) -> list[str]:
    """Vibrations too quick for the sampling or the step of the run."""
    if not frequencies.size:
        return []
    found, run = [], arm.run
    hidden = int(np.sum(frequencies > 0.5 / run.sample))
    if hidden:
        found.append(
            f"{hidden} of {frequencies.size} vibrations are faster than run.sample = {run.sample:g} s can show "
            f"(up to {frequencies[-1]:.3g} Hz)"
        )
    limit = stable_steps.get(run.method, np.inf)
    if run.step is not None and run.step > limit:
        found.append(
            f"run.step = {run.step:g} s is above the stability limit of {run.method}, {limit:.3g} s without drives"
        )
    return found


def _unused_parameters(arm: Arm) -> list[str]:
    names = arm.unused_parameters
    return [f"nothing depends on parameter{'s' * (len(names) > 1)} {', '.join(names)}"] if names else []
