"""Some contacts with their derivatives in some directions, and what follows from these: jumps, energy, closed gaps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class ContactDerivatives:
    """Some contacts at one state, c of them, and some slips, s, with their derivatives in k directions.

    Attributes
    ----------
    gap : (1 + k, c) [m]
        Values, then derivatives.
    speed : (1 + k, c + s) [m/s]
        Rates of the gaps, then slips.
    J : (1 + k, c + s, n)
        Rates of both per rate of the n coordinates that move freely.
    M : (1 + k, n, n)
    """

    gap: np.ndarray
    speed: np.ndarray
    J: np.ndarray
    M: np.ndarray

    def jump(self, restitution: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Jump of the rates that turns all speeds v into -e v, and its derivatives: (n,), (k, n).

        Parameters
        ----------
        restitution : (1 + k, c + s)
            e and its derivatives.

        Notes
        -----
        x = J^T F/M with J x = -(1 + e) v; both equations are differentiated.
        """
        J, M, v, e = self.J[0], self.M[0], self.speed, restitution
        response = np.linalg.solve(M, J.T)
        A = J @ response
        F = np.linalg.lstsq(A, -(1 + e[0]) * v[0], rcond=None)[0]
        x = response @ F
        free = np.linalg.solve(
            M, np.einsum("kcn,c->nk", self.J[1:], F) - np.einsum("kmn,n->mk", self.M[1:], x)
        )
        wanted = -(1 + e[0]) * v[1:] - e[1:] * v[0] - self.J[1:] @ x - (J @ free).T
        dF = np.linalg.lstsq(A, wanted.T, rcond=None)[0]
        return x, (free + response @ dF).T

    def later(self, dt: np.ndarray) -> ContactDerivatives:
        """On the way of each direction to an instant that comes later, by (k,) [s]: the last one here is the motion."""
        parts = self.gap, self.speed, self.J, self.M
        return ContactDerivatives(*(_moved(part, dt) for part in parts))

    def of(self, contacts: np.ndarray) -> ContactDerivatives:
        """Those of some contacts (c,) int, without slips."""
        return ContactDerivatives(self.gap[:, contacts], self.speed[:, contacts], self.J[:, contacts], self.M)

    def energy_lost(self, jump: np.ndarray, changes: np.ndarray) -> np.ndarray:
        """Changes (k,) [J] of the energy that the contacts take as the rates jump by x (n,), which change by (k, n).

        Notes
        -----
        That is -F (v- + v+)/2 of the impulses F, J^T F = M x, and the speeds v+ = v- + J x.
        """
        x, J, M = jump, self.J[0], self.M[0]
        F = np.linalg.lstsq(J.T, M @ x, rcond=None)[0]
        push = M @ changes.T + (self.M[1:] @ x - np.einsum("kcn,c->kn", self.J[1:], F)).T
        dF = np.linalg.lstsq(J.T, push, rcond=None)[0]
        moves = self.speed[1:] + (self.J[1:] @ x + changes @ J.T) / 2
        return -((self.speed[0] + J @ x / 2) @ dF + moves @ F)

    def closing(self) -> np.ndarray:
        """Changes (k, n) of the coordinates, smallest in the metric of the masses, that keep the gaps closed."""
        J = self.J[0, : self.gap.shape[1]]
        response = np.linalg.solve(self.M[0], J.T)
        return -(response @ np.linalg.lstsq(J @ response, self.gap[1:].T, rcond=None)[0]).T


def _moved(part: np.ndarray, dt: np.ndarray) -> np.ndarray:
    """Values and derivatives (1 + k, ..) at changes of time (k,) [s], from those whose last is along the motion."""
    moved = part[:-1].copy()
    moved[1:] += np.multiply.outer(dt, part[-1])
    return moved
