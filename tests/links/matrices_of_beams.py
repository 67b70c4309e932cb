"""Coupling matrices of beams, computed without the package: from shapes by quadrature, and by finite elements."""

from __future__ import annotations

import numpy as np
from reference.shapes import mode_shape
from scipy.linalg import eigh


def matrices_of(eta, dm, r, K, end, rotation):
    """C, C_k, C_kl as [BK83] eqs. 25, 28, 30 define them, from masses dm (q,) at eta (q,) with motions r (m, q, 3).

    `end` and `rotation`, (m, 3) each, are the motions of the end of the link.
    """
    m, one, none = len(r), np.ones_like(eta), np.zeros_like(eta)
    p_0 = np.stack([one, eta, none, none])
    p = [np.vstack([none, r_k.T]) for r_k in r]
    return {
        "C": (0.5 * (p_0 * dm) @ p_0.T).tolist(),
        "C_k": [(0.5 * (p_0 * dm) @ p_k.T).tolist() for p_k in p],
        "C_kl": [[(0.5 * (p[k] * dm) @ p[l].T).tolist() for l in range(m)] for k in range(m)],
        "K": np.asarray(K).tolist(),
        "stations": [
            {
                "eta": float(eta[-1]),
                "displacement": np.asarray(end).tolist(),
                "rotation": np.asarray(rotation).tolist(),
            }
        ],
    }


def matrices_of_family(length, mu, stiffness, modes, quadrature=400):
    """Matrices of a beam with modes of known families.

    Parameters
    ----------
    mu : callable
        Mass per length [kg/m] over xi.
    stiffness : dict
        Direction -> EI or EA, callable over xi.
    modes : list of (family, direction, number from 1)
    """
    points, weights = np.polynomial.legendre.leggauss(quadrature)
    xi, deta = np.append((points + 1) / 2, 1.0), np.append(weights / 2 * length, 0.0)
    r, strain, end, rotation = [], [], [], []
    for family, direction, k in modes:
        shape, axis = mode_shape(family, direction, k, xi), {"axial": 0, "y": 1, "z": 2}[direction]
        motion, turn = np.zeros((len(xi), 3)), np.zeros(3)
        motion[:, axis] = shape.value
        if direction == "axial":
            strain.append((direction, shape.slope / length))
        else:
            strain.append((direction, shape.curvature / length**2))
            turn[{"y": 2, "z": 1}[direction]] = {"y": 1, "z": -1}[direction] * shape.slope[-1] / length
        r.append(motion)
        end.append(motion[-1])
        rotation.append(turn)
    K = [[np.sum(deta * stiffness[a](xi) * e * f) if a == b else 0.0 for b, f in strain] for a, e in strain]
    return matrices_of(xi * length, deta * mu(xi), r, K, end, rotation)


class BeamElements:
    """Euler-Bernoulli beam of n Hermite elements that bends in xy; rows: deflection and slope of each node."""

    def __init__(self, length, mu, EI, n):
        self.length, self.mu, self.n, h = length, mu, n, length / n
        stiffness = [
            [12, 6 * h, -12, 6 * h],
            [6 * h, 4 * h**2, -6 * h, 2 * h**2],
            [-12, -6 * h, 12, -6 * h],
            [6 * h, 2 * h**2, -6 * h, 4 * h**2],
        ]
        inertia = [
            [156, 22 * h, 54, -13 * h],
            [22 * h, 4 * h**2, 13 * h, -3 * h**2],
            [54, 13 * h, 156, -22 * h],
            [-13 * h, -3 * h**2, -22 * h, 4 * h**2],
        ]
        k, mass = EI / h**3 * np.array(stiffness), mu * h / 420 * np.array(inertia)
        self.K, self.M = np.zeros((2 * n + 2,) * 2), np.zeros((2 * n + 2,) * 2)
        for e in range(n):
            at = slice(2 * e, 2 * e + 4)
            self.K[at, at] += k
            self.M[at, at] += mass

    def clamped_modes(self, count):
        """First modes with the end free."""
        _, vectors = eigh(self.K[2:, 2:], self.M[2:, 2:], subset_by_index=[0, count - 1])
        return np.vstack([np.zeros((2, count)), vectors])

    def craig_bampton(self, count):
        """Constraint modes of a deflection and of a slope at the end, then modes with both ends held."""
        inner, ends = slice(2, -2), np.eye(2)
        static = np.zeros((2 * self.n + 2, 2))
        static[-2:] = ends
        static[inner] = -np.linalg.solve(self.K[inner, inner], self.K[inner, -2:] @ ends)
        held = np.zeros((2 * self.n + 2, count))
        _, held[inner] = eigh(self.K[inner, inner], self.M[inner, inner], subset_by_index=[0, count - 1])
        return np.hstack([static, held])

    def matrices(self, modes):
        """Coupling matrices of the reduced model, by Gauss points in every element."""
        h, (points, weights) = self.length / self.n, np.polynomial.legendre.leggauss(4)
        s = (points + 1) / 2
        N = np.stack(
            [1 - 3 * s**2 + 2 * s**3, h * (s - 2 * s**2 + s**3), 3 * s**2 - 2 * s**3, h * (s**3 - s**2)]
        )
        eta = np.concatenate([h * (e + s) for e in range(self.n)] + [[self.length]])
        y = np.vstack([N.T @ modes[2 * e : 2 * e + 4] for e in range(self.n)] + [modes[-2]])
        dm = np.append(np.tile(self.mu * h * weights / 2, self.n), 0.0)
        r = np.zeros((modes.shape[1], len(eta), 3))
        r[:, :, 1] = y.T
        rotation = np.zeros((modes.shape[1], 3))
        rotation[:, 2] = modes[-1]
        return matrices_of(eta, dm, r, modes.T @ self.K @ modes, r[:, -1], rotation)

    def stations(self, modes, nodes):
        """Stations of the matrices at some nodes."""
        found = []
        for node in nodes:
            moved, turned = np.zeros((2, modes.shape[1], 3))
            moved[:, 1], turned[:, 2] = modes[2 * node], modes[2 * node + 1]
            found.append(
                {
                    "eta": node * self.length / self.n,
                    "displacement": moved.tolist(),
                    "rotation": turned.tolist(),
                }
            )
        return found
