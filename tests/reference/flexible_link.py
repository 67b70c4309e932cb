"""What one flexible link is made of, station by station: shapes, strains, quadrature, modal damping."""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np
from scipy.linalg import eigh

from reference.shapes import mode_shape


def quadrature(link, stations: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss-Legendre stations xi and weights [m], piece by piece between the knots of the link's profiles."""
    profiles = [link.mu, link.EI.y, link.EI.z, link.GJ, link.EA]
    knots = np.unique(np.concatenate([profile.eta for profile in profiles if profile is not None]))
    x, w = np.polynomial.legendre.leggauss(stations)
    half = np.diff(knots)[:, None] / 2.0
    xi = knots[:-1, None] + half * (1.0 + x)
    return xi.ravel(), (half * w).ravel() * link.length


@cache
def deflection(link, xi: float) -> tuple[ca.DM, ca.DM]:
    """Displacement and rotation of the section at ``xi`` per unit of each mode: two (3, m) matrices."""
    shifts, turns = [], []
    for direction, shape in _shapes(link, xi):
        shift, turn = np.zeros(3), np.zeros(3)
        if direction == "y":  # deflects along y, turns about z
            shift[1], turn[2] = shape.value, shape.slope / link.length
        elif direction == "z":  # deflects along z, turns about -y
            shift[2], turn[1] = shape.value, -shape.slope / link.length
        elif direction == "torsion":
            turn[0] = shape.value
        else:  # axial
            shift[0] = shape.value
        shifts.append(shift)
        turns.append(turn)
    return ca.DM(np.reshape(shifts, (-1, 3)).T), ca.DM(np.reshape(turns, (-1, 3)).T)


@cache
def shortening(link, xi: float) -> ca.DM:
    """h (m, m): the axis up to ``xi`` is 1/2 delta^T h delta shorter, -1/2 int v'^2 + w'^2, when it bends."""
    m = sum(modes.count for modes in link.modes)
    h = np.zeros((m, m))
    x, w = np.polynomial.legendre.leggauss(40)
    for s, weight in zip(0.5 * xi * (1.0 + x), 0.5 * xi * w * link.length, strict=True):
        bending = deflection(link, float(s))[1].full()[1:]
        h -= weight * bending.T @ bending
    return ca.DM(h)


def strain_of(link, xi: float) -> tuple[np.ndarray, np.ndarray]:
    """Rigidities (EI of y, EI of z, GJ, EA) and the strains (4, m) they act on, per unit of each mode."""
    profiles = {"y": link.EI.y, "z": link.EI.z, "torsion": link.GJ, "axial": link.EA}
    rigidity = np.array([0.0 if profile is None else at(profile, xi) for profile in profiles.values()])
    kinds = list(profiles)
    strain = np.zeros((4, sum(modes.count for modes in link.modes)))
    for j, (direction, shape) in enumerate(_shapes(link, xi)):
        bends = direction in ("y", "z")
        strain[kinds.index(direction), j] = (
            shape.curvature / link.length**2 if bends else shape.slope / link.length
        )
    return rigidity, strain


@cache
def _shapes(link, xi: float):
    """(direction, shape at xi) of every mode, in the order of theta."""
    return [
        (modes.direction, mode_shape(modes.family, modes.direction, k, xi, modes.normalisation))
        for modes in link.modes
        for k in range(1, modes.count + 1)
    ]


def at(profile, xi: float) -> float:
    return float(np.interp(xi, profile.eta, profile.values))


def modal_damping(link, mass: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    """D such that, in each direction, the link's own j-th natural mode has the damping ratio zeta_j.

    With natural modes X (X^T C X = I, X^T K X = diag(w^2)): D = C X diag(2 zeta w) X^T C, which is
    2 zeta_j w_j C_jj on the diagonal when the shapes are orthogonal.
    """
    directions = np.array([direction for direction, _ in _shapes(link, 1.0)])
    damping = np.zeros_like(mass)
    for direction in set(directions):
        rows = np.flatnonzero(directions == direction)
        if not np.any(np.asarray(link.damping)[rows]):
            continue
        C, K = mass[np.ix_(rows, rows)], stiffness[np.ix_(rows, rows)]
        w_squared, X = eigh(K, C)
        ratios = 2.0 * np.asarray(link.damping)[rows] * np.sqrt(w_squared)
        damping[np.ix_(rows, rows)] = C @ X @ np.diag(ratios) @ X.T @ C
    return damping
