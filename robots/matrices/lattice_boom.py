"""Reduce a lattice boom to the coupling matrices of robots/lattice_boom.yaml; prints them as JSON.

A small finite-element program: bars between nodes with masses, the first frame held, the last a rigid plate. What
follows after K and the masses are known is the same for any program. Needs NumPy and SciPy:

    python robots/matrices/lattice_boom.py > robots/matrices/lattice_boom.json
"""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
from scipy.linalg import eigh

LENGTH, SIDE, BAYS = 4.0, 0.2, 8  # m
E, RHO, AREA, JOINT = 70e9, 2700.0, 1.0e-4, 0.05  # Pa, kg/m^3, m^2, kg
STATIONS = (1.0, 2.0, 3.0, 4.0)  # m, where loads may act and where pictures know the link
HELD_MODES = 2
DIGITS, DIGITS_LEFT_OUT = 12, 1e-12

# -- nodes, masses and stiffness: what the finite-element program knows ----------------------------
corners = SIDE / 2 * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
X = np.array([[x, *corner] for x in np.linspace(0, LENGTH, BAYS + 1) for corner in corners])  # (nodes, 3)
bars = [(4 * f + k, 4 * f + (k + 1) % 4) for f in range(BAYS + 1) for k in range(4)]  # frames
bars += [(4 * f, 4 * f + 2) for f in range(BAYS + 1)]  # their diagonals
for before, after in pairwise(range(BAYS + 1)):
    bars += [(4 * before + k, 4 * after + k) for k in range(4)]  # along the boom
    bars += [(4 * before + k, 4 * after + (k + 1) % 4) for k in range(4)]  # across its sides
mass, K_bars = np.full(len(X), JOINT), np.zeros((3 * len(X),) * 2)
for a, b in bars:
    d = X[b] - X[a]
    length = np.linalg.norm(d)
    mass[[a, b]] += RHO * AREA * length / 2
    rows = np.r_[3 * a : 3 * a + 3, 3 * b : 3 * b + 3]
    pull = np.concatenate([-d, d]) / length
    K_bars[np.ix_(rows, rows)] += E * AREA / length * np.outer(pull, pull)

# -- rigid plate at the end: its displacement and rotation move four nodes; the first four are held
inner, plate, end = slice(12, -12), slice(-12, None), np.array([LENGTH, 0.0, 0.0])


def moved_by(points: np.ndarray, origin: np.ndarray) -> np.ndarray:
    """Displacements (3 points, 6) per unit of displacement and rotation of a body about an origin."""
    return np.vstack([np.hstack([np.eye(3), np.cross(np.eye(3), p - origin).T]) for p in points])


T = np.zeros((3 * len(X), 3 * len(X) - 24 + 6))  # coordinates: inner nodes, then the plate
T[inner, :-6] = np.eye(3 * len(X) - 24)
T[plate, -6:] = moved_by(X[-4:], end)
K, M = T.T @ K_bars @ T, T.T @ (np.repeat(mass, 3)[:, None] * T)

# -- Craig-Bampton: static shapes of the plate, then modes with the plate held ---------------------
static = np.vstack([-np.linalg.solve(K[:-6, :-6], K[:-6, -6:]), np.eye(6)])
static[:, 3:] /= LENGTH  # a unit of a rotation is 1 m / LENGTH, so that all amplitudes are metres
held = eigh(K[:-6, :-6], M[:-6, :-6])[1][:, :HELD_MODES]
held *= -np.sign(held[1::3].sum(axis=0))  # eigenvectors come with any sign: these bend towards -y
modes = np.hstack([static, np.vstack([held, np.zeros((6, HELD_MODES))])])
r = (T @ modes).T.reshape(-1, len(X), 3)  # (modes, nodes, 3)

# -- coupling matrices: sums over the masses of p_0 = [1, X, Y, Z] and p_k = [0, x_k, y_k, z_k] ----
p_0 = np.column_stack([np.ones(len(X)), X])
p = np.concatenate([np.zeros((*r.shape[:2], 1)), r], axis=-1)
C = 0.5 * np.einsum("n,na,nb->ab", mass, p_0, p_0)
C_k = 0.5 * np.einsum("n,na,knb->kab", mass, p_0, p)
C_kl = 0.5 * np.einsum("n,kna,lnb->klab", mass, p, p)


def station(eta: float) -> dict:
    """Mean motion of the four nodes of a frame, per unit of each mode."""
    nodes = np.flatnonzero(np.isclose(X[:, 0], eta))
    body = np.linalg.lstsq(moved_by(X[nodes], np.array([eta, 0, 0])), r[:, nodes].reshape(len(r), -1).T)[0].T
    return {"eta": eta, "displacement": body[:, :3], "rotation": body[:, 3:]}


matrices = {
    "C": C,
    "C_k": C_k,
    "C_kl": C_kl,
    "K": modes.T @ K @ modes,
    "stations": [station(eta) for eta in STATIONS],
}


def written(value: object, margin: str = "") -> str:
    """JSON with one matrix on a line; round-off beside the largest entry of a matrix is left out."""
    if isinstance(value, dict):
        entries = [f"{json.dumps(name)}: {written(entry, margin + ' ')}" for name, entry in value.items()]
        return "{" + f",\n{margin} ".join(entries) + "}"
    if isinstance(value, np.ndarray) and value.ndim <= 2:
        small = DIGITS_LEFT_OUT * np.abs(value).max()
        return json.dumps(
            np.vectorize(lambda v: float(f"{v:.{DIGITS}g}") if abs(v) > small else 0.0)(value).tolist()
        )
    if isinstance(value, np.ndarray | list):
        return "[" + f",\n{margin} ".join(written(entry, margin + " ") for entry in value) + "]"
    return json.dumps(value)


if __name__ == "__main__":
    print(written(matrices))
