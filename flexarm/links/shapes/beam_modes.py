"""Eigenfunctions of a uniform beam, from the conditions at its two ends.

A mode of an Euler-Bernoulli beam satisfies phi'''' = beta^4 phi (beta stands for beta l, primes for d/d xi),
so it is a combination c of the four waves of `wave_basis`. Two conditions at each end make a 4 x 4 matrix
B(beta) with B c = 0: the characteristic equation is det B = 0, the mode its null vector. In the bounded basis
the rows of B are of order one for every beta: det B is the classical characteristic equation over cosh beta.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np

from flexarm.errors import ModelError
from flexarm.links.shapes.shape_functions import Array, WaveShapes, wave_basis

ENDS = {"clamped": (0, 1), "pinned": (0, 2), "free": (2, 3)}
"""End condition -> orders of the derivatives that vanish there."""

COS, SIN = 0, 1

BEAMS = {
    "clamped-free": (-1 / 2, COS, -1.0),
    "clamped-clamped": (1 / 2, SIN, 1.0),
    "clamped-pinned": (1 / 4, COS, -1.0),
    "pinned-pinned": (0.0, SIN, 1.0),
    "pinned-free": (1 / 4, SIN, 1.0),
    "free-free": (1 / 2, COS, 1.0),
}
"""Ends -> (offset, wave, weight): root k tends to (k + offset) pi, `wave` has that weight as published.

================  ====================  ===============================================================
ends              characteristic        published form
================  ====================  ===============================================================
clamped-free      cos b cosh b = -1     cosh - cos - s (sinh - sin), s = (cosh b + cos b)/(sinh b + sin b)
clamped-clamped   cos b cosh b = 1      sin - sinh + s (cosh - cos), s = (sinh b - sin b)/(cosh b - cos b)
clamped-pinned    tan b = tanh b        cosh - cos - s (sinh - sin), s = cot b
pinned-pinned     sin b = 0             sin
pinned-free       tan b = tanh b        sin + s sinh, s = sin b/sinh b
free-free         cos b cosh b = 1      cosh + cos - s (sinh + sin), s = (cosh b - cos b)/(sinh b - sin b)
================  ====================  ===============================================================

clamped-clamped is [FL17] eq. 63 (there b = 4.731 and s = 1.017; exact are 4.7300407449 and 1.0178094107).
Every shape is positive where it first leaves zero at the start. The rigid-body modes of pinned-free and
free-free beams are left out: the joint at the start of the link, or the floating base, moves it so.
"""


def conditions(beta: float, ends: str) -> Array:
    """Build B(beta), (4, 4) [1], from beta l [1]: two conditions at the start and two at the tip, on the four waves."""
    start, tip = ends.split("-")
    rows = [wave_basis([beta], 0.0, n)[0] for n in ENDS[start]]
    rows += [wave_basis([beta], 1.0, n)[0] for n in ENDS[tip]]
    return np.array(rows)


@cache
def beam_roots(ends: str, count: int) -> tuple[float, ...]:
    """Solve the characteristic equation for the first `count` wave numbers beta l [1], to machine precision."""

    def determinant(beta: float) -> float:
        return float(np.linalg.det(conditions(beta, ends)))

    centres = [(k + BEAMS[ends][0]) * np.pi for k in range(1, count + 1)]
    # The first clamped-free root lies 0.304 off its asymptote, every other one closer.
    brackets = [(centre - np.pi / 4, centre + np.pi / 4) for centre in centres]
    return tuple(bisect(determinant, *bracket) for bracket in brackets)


def bisect(f: Callable[[float], float], low: float, high: float) -> float:
    """Find the root of f between low and high, where f has different signs, to the last bit.

    Notes
    -----
    scipy.optimize would do, but importing it takes longer than simulating a typical arm.
    """
    rises = f(low) < 0
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if (f(middle) < 0) == rises else (low, middle)
    return high


@cache
def beam_modes(ends: str, count: int) -> WaveShapes:
    """Build the first `count` elastic modes of a uniform beam in their published form.

    Parameters
    ----------
    ends : str
        A key of BEAMS.
    count : int
        Number of modes.
    """
    beta = np.array(beam_roots(ends, count))
    _, wave, weight = BEAMS[ends]
    return _null_shapes(beta, [conditions(b, ends) for b in beta], wave, weight)


def _null_shapes(beta: Array, matrices: list[Array], wave: int, weight: float) -> WaveShapes:
    """Take the null vector of each B(beta) and give one wave its published weight."""
    vectors = np.linalg.svd(np.array(matrices)).Vh[:, -1]
    coefficients = vectors * (weight / vectors[:, [wave]])
    return WaveShapes(beta, coefficients, np.zeros(len(beta)))


@lru_cache(maxsize=1000)
def loaded_beam_modes(count: int, mass: float, inertia: float, first_moment: float) -> WaveShapes:
    """Build the modes of a uniform beam that is clamped at the start and carries a rigid body at its tip.

    Parameters
    ----------
    count : int
        Number of modes.
    mass, inertia, first_moment : float [1]
        M / (mu l), J / (mu l^3), S / (mu l^2): mass of the body, its inertia about the tip, and its mass
        times the distance of its mass centre beyond the tip along the link.

    Raises
    ------
    ModelError
        If M J < S^2 (no such body exists), or if two modes have one frequency.

    Notes
    -----
    With deflection v(eta, t) the body adds 1/2 (M v_t^2 + 2 S v_t v'_t + J v'_t^2) at eta = l to the kinetic
    energy and nothing to the strain energy. Integrating the variation of 1/2 int EI v''^2 twice by parts
    leaves at the tip

        EI v''  = -(J v'_tt + S v_tt)   (moment)        EI v''' = M v_tt + S v'_tt   (force)

    With v = phi(xi) exp(i w t) and w^2 = beta^4 EI / (mu l^4), in the ratios above,

        phi'' = beta^4 (J phi' + S phi)                 phi''' = -beta^4 (M phi + S phi')

    which with D_n = phi^(n) / beta^n are the last two rows of `_loaded_conditions`. Form as clamped-free:
    cosh - cos - s (sinh - sin), to which it reduces without a body.
    """
    if mass < 0 or inertia < 0 or first_moment**2 > mass * inertia * (1 + 1e-9):
        raise ModelError(
            f"clamped-loaded modes: no body has mass ratio {mass:.6g}, inertia ratio {inertia:.6g} and first "
            f"moment ratio {first_moment:.6g}: mass * inertia must reach first_moment**2, "
            "with the inertia about the link's tip"
        )
    beta = np.array(_loaded_roots(count, mass, inertia, first_moment))
    matrices = [_loaded_conditions(b, mass, inertia, first_moment) for b in beta]
    return _null_shapes(beta, matrices, COS, -1.0)


def _loaded_conditions(beta: float, mass: float, inertia: float, first_moment: float) -> Array:
    """Build B(beta), (4, 4), for a clamped start and a body at the tip; rows scaled to order one."""
    D0, D1, D2, D3 = (wave_basis([beta], 1.0, n)[0] for n in range(4))
    B = conditions(beta, "clamped-free")
    B[2] = D2 - beta**3 * inertia * D1 - beta**2 * first_moment * D0
    B[3] = D3 + beta * mass * D0 + beta**2 * first_moment * D1
    return B / np.linalg.norm(B, axis=1, keepdims=True)


@lru_cache(maxsize=1000)
def _loaded_roots(count: int, mass: float, inertia: float, first_moment: float) -> tuple[float, ...]:
    """Isolate each root by counting the modes below beta, which misses none, then solve det B = 0."""
    clamped = np.array(beam_roots("clamped-clamped", count))
    squares, axes = np.linalg.eigh([[mass, first_moment], [first_moment, inertia]])
    load_root = axes * np.sqrt(np.maximum(squares, 0.0))  # load = load_root load_root^T

    def modes_below(beta: float) -> int:
        # Wittrick & Williams (1971): modes with the tip fixed, plus negative directions of the tip's dynamic
        # stiffness Z = force / displacement - beta load. Z has poles; displacement^T Z displacement has none,
        # and the bordered matrix, of which that is a Schur complement, stands any load.
        e = np.exp(-beta)
        leaving_clamp = np.array([[-1, 1, 1, 0], [-e, -e, 0, 1]]).T
        D0, D1, D2, D3 = (wave_basis([beta], 1.0, n)[0] @ leaving_clamp for n in range(4))
        displacement, force = np.array([D0, D1]), np.array([-D3, D2])
        border = np.sqrt(beta) * load_root.T @ np.diag([1.0, beta])
        scale = max(1.0, float(np.linalg.norm(border)))
        bordered = np.eye(4) / scale**2
        bordered[:2, :2] = displacement.T @ force
        bordered[2:, :2] = border / scale @ displacement  # eigvalsh reads the lower triangle
        return int(np.count_nonzero(clamped < beta) + np.count_nonzero(np.linalg.eigvalsh(bordered) < 0))

    def determinant(beta: float) -> float:
        return float(np.linalg.det(_loaded_conditions(beta, mass, inertia, first_moment)))

    roots, low = [], 0.0
    for k in range(1, count + 1):
        high = k * np.pi  # above the k-th clamped-free root, which a body can only lower
        while modes_below(high) > k:
            beta = (low + high) / 2
            if high - low < 1e-12 * high:
                raise ModelError(
                    "clamped-loaded modes: two modes have one frequency; change the tip load a little"
                )
            low, high = (low, beta) if modes_below(beta) >= k else (beta, high)
        roots.append(bisect(determinant, low, high))
        low = high
    return tuple(roots)
