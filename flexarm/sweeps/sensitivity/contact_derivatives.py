"""Directional derivatives of what impacts are made of: gaps, their rates and Jacobian, and the mass matrix."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import casadi as ca
import numpy as np

from flexarm.codegen.directional_function import DirectionalFunction
from flexarm.errors import ModelError
from flexarm.simulation.contact.constraints.contacts import Contacts
from flexarm.simulation.contact.constraints.joint_stops import JointStops
from flexarm.simulation.contact.equations.contact_functions import ContactFunctions
from flexarm.simulation.forces.walls.wall_gaps import ENTRIES, WallGap
from flexarm.sweeps.sensitivity.contact_numbers import ContactChanges
from flexarm.sweeps.sensitivity.directions import Directions


@dataclass(frozen=True)
class ContactDerivatives:
    """Some contacts at one state, c of them, and their derivatives in k directions.

    Attributes
    ----------
    gap, speed : (1 + k, c) [m], [m/s]
        Values, then derivatives.
    J : (1 + k, c, n)
        Rates of the gaps per rate of the n coordinates that move freely.
    M : (1 + k, n, n)
    """

    gap: np.ndarray
    speed: np.ndarray
    J: np.ndarray
    M: np.ndarray

    def jump(
        self, restitution: np.ndarray, impulses: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Jump of the rates that turns all speeds v into -e v, and its derivatives: (n,), (k, n).

        Parameters
        ----------
        restitution : (1 + k, c)
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

    def closing(self) -> np.ndarray:
        """Changes (k, n) of the coordinates, smallest in the metric of the masses, that keep the gaps closed."""
        response = np.linalg.solve(self.M[0], self.J[0].T)
        return -(response @ np.linalg.lstsq(self.J[0] @ response, self.gap[1:].T, rcond=None)[0]).T


class DifferentiatedContacts:
    """Contacts of one arm with their derivatives in k directions of its state, its numbers and time.

    Parameters
    ----------
    functions : ContactFunctions
    contacts : Contacts
    found : Directions
    """

    def __init__(self, functions: ContactFunctions, contacts: Contacts, found: Directions):
        arm, self._functions, self._contacts = found.instance.arm, functions, contacts
        walls = () if arm.contact is None else arm.contact.rigid_walls
        self._walls = np.array([WallGap.of(wall).entries() for wall in walls]).reshape(-1, ENTRIES)
        self.changes = ContactChanges.of(found.contact, len(walls), functions.n_points)
        self._count = len(found.scales)
        self._stops = JointStops.of(arm, functions.limited, functions.n_free)
        self._model = found.model
        self._parameters = np.concatenate([found.instance.parameters, found.parameters.ravel()])
        self._name = arm.name

    def at(
        self, t: float, y: np.ndarray, changes: np.ndarray, times: np.ndarray, which: np.ndarray
    ) -> ContactDerivatives:
        """Contacts `which` (c,) int at t [s], y (n_y,), for changes of the state (k, n_y) and of time (k,) [s].

        Raises
        ------
        ModelError
            The derivatives by time are not known.
        """
        if times.any() and self._depends_on_tables:
            raise ModelError(
                f"{self._name}: derivatives through impacts are not computed where a table prescribes a motion",
                hint="prescribe it by a formula",
            )
        n, k, f = self._functions.n_free, self._count, self._functions
        m = f.n_points * f.n_walls
        gap, speed, J = (
            np.empty((1 + k, which.size)),
            np.empty((1 + k, which.size)),
            np.zeros((1 + k, which.size, n)),
        )
        M, ends = np.empty((1 + k, n, n)), list(accumulate([m, m, m * n, n * n], initial=0))
        n_walls = len(self._walls)
        of_wall = np.where(which < self._contacts.n_wall_contacts, which % max(n_walls, 1), -1)
        for wall in np.unique(of_wall) if which.size else [-1]:
            parts = self._evaluate(t, y, changes, times, max(int(wall), 0)).reshape(1 + k, -1)
            gaps, speeds, Js, Ms = (parts[:, a:b] for a, b in pairwise(ends))
            M[:] = Ms.reshape(1 + k, n, n)
            here = np.flatnonzero(of_wall == wall)
            if wall >= 0:
                row = which[here] // n_walls * f.n_walls
                gap[:, here], speed[:, here] = gaps[:, row], speeds[:, row]
                J[:, here] = Js.reshape(1 + k, n, m)[:, :, row].transpose(0, 2, 1)
            else:
                own, stops = which[here] - self._contacts.n_wall_contacts, self._stops
                states, direction = np.vstack([y, changes]), stops.direction[own]
                bounds = np.vstack([stops.bound, self.changes.bounds])[:, own]
                gap[:, here] = direction * (states[:, stops.position[own]] - bounds)
                speed[:, here] = direction * states[:, stops.rate[own]]
                J[0, here] = stops.J[own]
        return ContactDerivatives(gap, speed, J, M)

    def _evaluate(
        self, t: float, y: np.ndarray, changes: np.ndarray, times: np.ndarray, wall: int
    ) -> np.ndarray:
        """Gaps, rates, Jacobian and mass matrix with one wall in all places, then their derivatives."""
        f, h = self._bound
        n = self._functions.n_walls
        entries = (
            [np.tile(self._walls[wall], n), self._contacts.soft.flags] if n else [self._contacts.soft.flags]
        )
        flags = np.zeros(self._contacts.soft.flags.size)
        for own in self.changes.walls:
            entries += [np.tile(own[wall], n), flags] if n else [flags]
        states = np.concatenate([y, changes.ravel()])
        return f(t, states, np.concatenate([*entries, times, h])).ravel()

    @cached_property
    def _of_impacts(self) -> ca.Function:
        """Of all that is known of contacts what impacts read."""
        f = self._functions
        m, n, limited, dry = f.n_points * f.n_walls, f.n_free, len(f.limited), len(f.dry)
        symbols = f.state.sx_in()
        (out,) = f.state.call(symbols)
        gap, speed, _, _, _, J, M, _ = ca.vertsplit(
            out,
            list(
                accumulate(
                    [
                        m,
                        m,
                        m,
                        limited,
                        dry,
                        m * n,
                        n * n,
                        out.numel() - 3 * m - limited - dry - m * n - n * n,
                    ],
                    initial=0,
                )
            ),
        )
        return ca.Function("impact_terms", symbols, [ca.vertcat(gap, speed, J, M)])

    @cached_property
    def _depends_on_tables(self) -> bool:
        symbols = self._of_impacts.sx_in()
        return bool(symbols[3].numel()) and bool(ca.depends_on(self._of_impacts(*symbols), symbols[3]))

    @cached_property
    def _bound(self):
        f = self._functions
        derived = self._model.once(
            ("impact terms", self._count),
            lambda: DirectionalFunction(
                self._of_impacts, self._count, f.n_parameters, f.tables, in_time=True
            ),
        )
        return derived.at(self._parameters)
