"""Impact of a chain of rigid rods in a plane, from the laws of a free rod: no generalised coordinate of the chain.

Every rod has its own mass centre and angle; the hinges between them are constraints whose impulses are found together
with those of the floor.
"""

from __future__ import annotations

import numpy as np


def rates_after(lengths, masses, angles, origin_velocity, rates, struck, e, normal=(0.0, 1.0)):
    """Angular velocities and velocity of the first end after points of the chain have struck a wall.

    Parameters
    ----------
    lengths, masses : (n,)
    angles : (n,) [rad]
        Of every rod to the x axis, not to its neighbour.
    origin_velocity : (2,) [m/s]
    rates : (n,) [rad/s]
        Angular velocities of the rods.
    struck : list of int
        Points 0..n of the chain that strike.
    e : float

    Returns
    -------
    velocity of point 0 (2,), angular velocities (n,), impulses (len(struck),)
    """
    n = len(lengths)
    across = np.stack([-np.sin(angles), np.cos(angles)], axis=1)
    M = np.zeros((3 * n, 3 * n))
    v = np.zeros(3 * n)
    point = np.array(origin_velocity, dtype=float)
    for i in range(n):
        M[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = np.diag(
            [masses[i], masses[i], masses[i] * lengths[i] ** 2 / 12]
        )
        v[3 * i : 3 * i + 2] = point + rates[i] * lengths[i] / 2 * across[i]
        v[3 * i + 2] = rates[i]
        point = point + rates[i] * lengths[i] * across[i]

    def end(i, sign):
        """Velocity of an end of rod i as rows (2, 3 n)."""
        J = np.zeros((2, 3 * n))
        J[:, 3 * i : 3 * i + 2] = np.eye(2)
        J[:, 3 * i + 2] = sign * lengths[i] / 2 * across[i]
        return J

    hinges = [end(i, 1) - end(i + 1, -1) for i in range(n - 1)]
    walls = [np.array(normal) @ (end(p, -1) if p < n else end(n - 1, 1)) for p in struck]
    J = np.vstack([*hinges, *(row[None] for row in walls)])
    goal = np.concatenate([np.zeros(2 * (n - 1)), [-e * row @ v for row in walls]])
    K = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
    solution = np.linalg.solve(K, np.concatenate([M @ v, goal]))
    after = solution[: 3 * n]
    return end(0, -1) @ after, after[2::3], solution[3 * n + 2 * (n - 1) :]
