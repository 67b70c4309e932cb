"""Falling chains in Exudyn: ANCF cable elements between revolute joints, implicit integration with a fixed step.

Of what Exudyn offers for planar beams, two-node ANCF cables (cubic, Bernoulli-Euler) reached a given error of two links
in less time than its geometrically exact two-node beams (linear, shear-deformable). Cables stretch: with this EA the
tip of 32 links comes no closer than 2e-5 m to that of inextensible beams (with 3e8 N, 7e-5 m), that of 8 links 5e-6 m.
"""

from __future__ import annotations

import sys
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from .case import LENGTH, Case
from .exact_beams import GRAVITY

NEWTON = {32: 1e-6, 10_000: 1e-5}
"""Up to so many elements: relative tolerance. Round-off keeps the residuals of long chains of stiff cables above
Exudyn's default of 1e-8, and those of the longest above 1e-6, so that no step would converge; with 1e-5 the tips of
short ones change. A modified Newton method fails at longer steps."""
NEWTON_ABSOLUTE = 1e-8
SPECTRAL_RADIUS = 0.9


class Settings(NamedTuple):
    """What a chain is solved with.

    Attributes
    ----------
    elements : int
        Per link.
    step : float [s]
    EA : float [N]
    newton : float, optional
        Relative tolerance of a modified Newton method, which keeps the Jacobian while it converges; without it
        Newton's method with the tolerances of `NEWTON`.
    sparse_from : int
        Number of elements from which the linear solver is the sparse one.
    """

    elements: int
    step: float
    EA: float = 1e9
    newton: float | None = None
    sparse_from: int = 6

    @property
    def name(self) -> str:
        newton = f", modified Newton {self.newton:.0e}" if self.newton else ""
        return f"{self.elements} elements, step {self.step:.1e} s, EA {self.EA:.0e} N{newton}"


def load() -> ModuleType | None:
    """Import Exudyn's faster build, the one without range checks, or say that it is missing."""
    from measuring.machine import peer

    sys.exudynFast = True  # type: ignore[attr-defined]  # how Exudyn wants to be told
    return peer("exudyn", "exudyn")


class ExudynChain:
    """A chain ready to be solved, as often as wanted.

    Parameters
    ----------
    exu : module
    case : Case
    settings : Settings
    """

    def __init__(self, exu: ModuleType, case: Case, settings: Settings):
        items = import_module("exudyn.itemInterface")
        self._exu, self._case, self._settings = exu, case, settings
        self._container = exu.SystemContainer()
        self._system: Any = self._container.AddSystem()
        ground = self._system.AddObject(items.ObjectGround())
        end = self._system.AddMarker(items.MarkerBodyPosition(bodyNumber=ground, localPosition=[0, 0, 0]))
        node, at = -1, np.zeros(2)
        for angle in case.directions:
            along = np.array([np.cos(angle), np.sin(angle)])
            nodes = self._add_link(items, at, along, settings.elements)
            start = self._system.AddMarker(items.MarkerNodePosition(nodeNumber=nodes[0]))
            self._system.AddObject(items.RevoluteJoint2D(markerNumbers=[end, start]))
            end = self._system.AddMarker(items.MarkerNodePosition(nodeNumber=nodes[-1]))
            node, at = nodes[-1], at + LENGTH * along
        self._tip = self._system.AddSensor(
            items.SensorNode(nodeNumber=node, storeInternal=True, writeToFile=False,
                             outputVariableType=exu.OutputVariableType.Position))  # fmt: skip
        self._system.Assemble()
        self._solver = self._make_solver()

    def _add_link(self, items: ModuleType, at: np.ndarray, along: np.ndarray, elements: int) -> list[Any]:
        length = LENGTH / elements
        places = [at + k * length * along for k in range(elements + 1)]
        nodes = [
            self._system.AddNode(items.NodePoint2DSlope1(referenceCoordinates=[*place, *along]))
            for place in places
        ]
        for pair in pairwise(nodes):
            cable = items.Cable2D(
                length=length, massPerLength=self._case.mu, bendingStiffness=self._case.bending,
                axialStiffness=self._settings.EA,
                nodeNumbers=list(pair), useReducedOrderIntegration=1,
            )  # fmt: skip
            marker = self._system.AddMarker(items.MarkerBodyMass(bodyNumber=self._system.AddObject(cable)))
            self._system.AddLoad(items.LoadMassProportional(markerNumber=marker, loadVector=[0, -GRAVITY, 0]))
        return nodes

    def _make_solver(self) -> Any:
        step, newton, elements = (
            self._settings.step,
            self._settings.newton,
            self._case.n * self._settings.elements,
        )
        settings = self._exu.SimulationSettings()
        integration = settings.timeIntegration
        integration.endTime = self._case.duration
        integration.numberOfSteps = round(self._case.duration / step)
        integration.verboseMode = 0
        integration.newton.useModifiedNewton = newton is not None
        integration.newton.relativeTolerance = newton or next(
            value for most, value in NEWTON.items() if elements <= most
        )
        integration.newton.absoluteTolerance = NEWTON_ABSOLUTE
        integration.generalizedAlpha.spectralRadius = SPECTRAL_RADIUS
        settings.solution.file.write = False
        settings.solution.sensors.writePeriod = self._case.times[1]
        settings.show.statistics = settings.show.computationTime = False
        if elements >= self._settings.sparse_from:
            settings.linearSolver.solverType = self._exu.LinearSolverType.EigenSparse
        return settings

    def solve(self) -> None:
        """Integrate from the start to the end of the case.

        Raises
        ------
        RuntimeError
            Newton's method does not converge.
        """
        method = self._exu.DynamicSolverType.GeneralizedAlpha
        try:
            self._system.SolveDynamic(self._solver, solverType=method)
        except self._exu.SolverError:
            raise RuntimeError("Newton's method does not converge") from None

    def tips(self) -> np.ndarray:
        """Where the tip was in the last solution, complex (instants + 1,) [m]."""
        _, x, y, _ = self._system.GetSensorStoredData(self._tip).T
        return x + 1j * y
