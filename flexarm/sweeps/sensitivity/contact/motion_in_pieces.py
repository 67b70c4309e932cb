"""Motion with contacts, with its derivatives: the variational equations between impacts, and jumps at these."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from flexarm.catalogue import METHODS
from flexarm.errors import SolverError
from flexarm.progress import Progress, part
from flexarm.simulation.contact.constraints.active_contacts import NONE_ACTIVE, KeptForSets
from flexarm.simulation.contact.event_driven import SOFT_TOLERANCE
from flexarm.simulation.forward.motion_with_contact import ContactRun, prepare_motion_with_contact
from flexarm.simulation.forward.run import sample_count, sample_times
from flexarm.solvers.base import DeferredJacobian, InitialValueProblem, Integration, start
from flexarm.sweeps.sensitivity.contact.break_points import BreakPoints
from flexarm.sweeps.sensitivity.contact.differentiated_contacts import DifferentiatedContacts
from flexarm.sweeps.sensitivity.contact.event_log import BREAK, LoggedIntegration, Stretch
from flexarm.sweeps.sensitivity.contact.no_derivative import Obstacles
from flexarm.sweeps.sensitivity.contact.saltation import Saltation
from flexarm.sweeps.sensitivity.contact.stretch_equations import StretchEquations
from flexarm.sweeps.sensitivity.directions.directions import Directions
from flexarm.sweeps.sensitivity.variational_equations import Series, integrated, variational_equations

RUN_PART = 0.4
"""Part of the progress that is the run itself, of its derivatives the rest."""


class MotionInPieces:
    """The motion of an arm with contacts, simulated already, and its derivatives, stretch by stretch.

    Parameters
    ----------
    found : Directions
    """

    def __init__(self, found: Directions):
        arm, model = found.instance.arm, found.model
        self._found, self._count = found, len(found.scales)
        self.equations = variational_equations(found)
        self.run: ContactRun = prepare_motion_with_contact(arm, model=model, integration=LoggedIntegration)
        assert isinstance(self.run.integration, LoggedIntegration)
        self._log, self._contacts = self.run.integration, self.run.integration.contacts
        contacts = DifferentiatedContacts(model.contacts, self._contacts, found)
        self._of_stretches = StretchEquations(found, self.equations, self._contacts, contacts.changes)
        self._break_points = BreakPoints(found, self.equations, self._of_stretches)
        self._saltation = Saltation(
            Obstacles(arm, self._contacts),
            self._contacts,
            self._log.law,
            contacts,
            self._of_stretches,
            model.state_equation.native_rhs.at(found.instance.parameters),
            arm.run.duration,
        )

    def observed(self, times: np.ndarray, progress: Progress | None = None) -> list[Series]:
        """Datasets (m, ..) at times (m,) [s], then their derivatives, times the scales.

        Raises
        ------
        ModelError
            There is no derivative through some instant.
        SolverError
            The integration failed.
        """
        integration = self.run.integration
        simulated = RUN_PART if self._count else 1.0
        name = self._found.instance.arm.name
        states = integrated(integration, times, name, part(progress, 0.0, simulated))
        within, whole = integration.problem.within(times), states[:, None]
        if self._count:
            beside = np.concatenate(self.derivatives(within, part(progress, simulated, 1.0)), axis=2)
            whole = np.concatenate([whole, beside], axis=1)
        return self.equations.observe(self._found, within, whole.reshape(len(times), -1))

    def derivatives(
        self, times: np.ndarray, progress: Progress | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of the states (m, k, n_y) at times (m,) [s], and of the contacts' forces, (m, k, n_forces).

        Raises
        ------
        ModelError
            There are none through some impact.
        SolverError
            The integration failed.
        """
        n, k = self._found.y0.size, self._count
        states = np.empty((times.size, k, n))
        forces = np.zeros((times.size, k, self._of_stretches.n_forces))
        y, S, active, lost, done = self._found.y0, self._break_points.S, NONE_ACTIVE, np.zeros(k), 0
        self._runs: KeptForSets[Integration] = KeptForSets()
        stretches = [*self._log.stretches, None]
        for stretch, following in pairwise(stretches):
            assert stretch is not None
            if done == times.size:
                break
            dt = np.zeros(k)
            if stretch.cause == BREAK:
                dt, S = self._break_points.before(stretch.t, y, S, active)
            S, taken = self._saltation.across(stretch, active, S, dt)
            lost += taken
            active = stretch.active
            end = min(stretch.end, np.inf if following is None else following.t)
            stop = done + int(np.searchsorted(times[done:], end, side="right"))
            here = times[done:stop]
            to_end = stop < times.size
            asked = np.append(here, end) if to_end else here
            if end > stretch.t or here.size:
                reached = part(progress, done / times.size, stop / times.size)
                found = self._integrated(stretch, S, asked, end, reached)
                states[done:stop] = found[: here.size, n:].reshape(-1, k, n)
                if here.size:
                    forces[done:stop] = self._of_stretches.forces(here, found[: here.size], active)
                    if self._contacts.accounts_for_impacts:
                        forces[done:stop, :, -1] = lost
                y, S = found[-1, :n], found[-1, n:].reshape(k, n)
            done = stop
        if done < times.size:
            raise SolverError(f"{self._found.instance.arm.name}: stopped at t = {times[done - 1]:.4g} s")
        return states, forces

    def _integrated(
        self, stretch: Stretch, S: np.ndarray, times: np.ndarray, end: float, progress: Progress | None
    ) -> np.ndarray:
        """States and their derivatives (m, n_y (1 + k)) at times (m,) [s] of a stretch."""
        y0 = np.concatenate([stretch.y, S.ravel()])
        if end <= stretch.t:
            return np.tile(y0, (times.size, 1))
        return integrated(self._started(stretch, y0, end), times, self._found.instance.arm.name, progress)

    def _started(self, stretch: Stretch, y0: np.ndarray, end: float) -> Integration:
        """Integration from the beginning of a stretch to its end [s]; the same goes on for the same contacts."""
        arm, active = self._found.instance.arm, stretch.active
        f, p = self._of_stretches.rhs(active)
        factor = SOFT_TOLERANCE if self._contacts.soft.n and active.soft.any() else 1.0
        problem = InitialValueProblem(
            f, stretch.t, y0, p, rtol=factor * arm.run.rtol, atol=factor * arm.run.atol, step=arm.run.step,
            max_steps=arm.run.max_steps, max_step=stretch.max_step, end=end,
        )  # fmt: skip
        method = self._log.method_for(active)
        if METHODS[method].needs_jacobian:
            problem = replace(problem, jacobian=DeferredJacobian(lambda: self._of_stretches.jacobian(active)))
        run = self._runs.get(active.key)
        if run is None:
            run = self._runs[active.key] = start(method, problem)
        else:
            run.restart(problem)
        return run


def pieces_with_derivatives(
    found: Directions, progress: Progress | None = None
) -> tuple[np.ndarray, Series, list[Series], ContactRun]:
    """Simulate an arm with contacts, then its derivatives; see :func:`run_with_derivatives`.

    Raises
    ------
    ModelError
        There is no derivative through some impact.
    SolverError
        The integration failed.
    """
    motion, arm = MotionInPieces(found), found.instance.arm
    times = sample_times(arm, 0, sample_count(arm))
    values, *derivatives = motion.observed(times, progress)
    motion.run.status, motion.run.message = "complete", ""
    return times, values, derivatives, motion.run
