"""Falling chains in Exudyn: ANCF cable elements between revolute joints, implicit integration with a fixed step.

Of what Exudyn offers for planar beams, two-node ANCF cables (cubic, Bernoulli-Euler) reached a given error of two links
in less time than its geometrically exact two-node beams (linear, shear-deformable). Cables stretch: with this EA the
tip of 32 links comes no closer than 2e-5 m to that of inextensible beams (with 3e8 N, 7e-5 m), that of 8 links 5e-6 m.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np

from .case import EI, GRAVITY, LENGTH, MU, Case

EA = 1e9  # N
NEWTON = {32: 1e-6, 10_000: 1e-5}
"""Up to so many elements: relative tolerance. Round-off keeps the residuals of long chains of stiff cables above
Exudyn's default of 1e-8, and those of the longest above 1e-6, so that no step would converge; with 1e-5 the tips of
short ones change. A modified Newton method fails at longer steps."""
NEWTON_ABSOLUTE = 1e-8
SPECTRAL_RADIUS = 0.9
SPARSE_FROM = 6
"""Elements from which the sparse solver is the faster one."""


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
    elements : int
        Per link.
    step : float [s]
    """

    def __init__(self, exu: ModuleType, case: Case, elements: int, step: float):
        from exudyn import itemInterface as items

        self._exu, self._case = exu, case
        self._container = exu.SystemContainer()
        self._system: Any = self._container.AddSystem()
        ground = self._system.AddObject(items.ObjectGround())
        end = self._system.AddMarker(items.MarkerBodyPosition(bodyNumber=ground, localPosition=[0, 0, 0]))
        node, at = -1, np.zeros(2)
        for angle in case.directions:
            along = np.array([np.cos(angle), np.sin(angle)])
            nodes = self._add_link(items, at, along, elements)
            start = self._system.AddMarker(items.MarkerNodePosition(nodeNumber=nodes[0]))
            self._system.AddObject(items.RevoluteJoint2D(markerNumbers=[end, start]))
            end = self._system.AddMarker(items.MarkerNodePosition(nodeNumber=nodes[-1]))
            node, at = nodes[-1], at + LENGTH * along
        self._tip = self._system.AddSensor(
            items.SensorNode(nodeNumber=node, storeInternal=True, writeToFile=False,
                             outputVariableType=exu.OutputVariableType.Position))  # fmt: skip
        self._system.Assemble()
        self._settings = self._make_settings(step, case.n * elements)

    def _add_link(self, items: ModuleType, at: np.ndarray, along: np.ndarray, elements: int) -> list[Any]:
        length = LENGTH / elements
        places = [at + k * length * along for k in range(elements + 1)]
        nodes = [
            self._system.AddNode(items.NodePoint2DSlope1(referenceCoordinates=[*place, *along]))
            for place in places
        ]
        for pair in pairwise(nodes):
            cable = items.Cable2D(
                length=length, massPerLength=MU, bendingStiffness=EI, axialStiffness=EA,
                nodeNumbers=list(pair), useReducedOrderIntegration=1,
            )  # fmt: skip
            marker = self._system.AddMarker(items.MarkerBodyMass(bodyNumber=self._system.AddObject(cable)))
            self._system.AddLoad(items.LoadMassProportional(markerNumber=marker, loadVector=[0, -GRAVITY, 0]))
        return nodes

    def _make_settings(self, step: float, elements: int) -> Any:
        settings = self._exu.SimulationSettings()
        integration = settings.timeIntegration
        integration.endTime = self._case.duration
        integration.numberOfSteps = round(self._case.duration / step)
        integration.verboseMode = 0
        integration.newton.useModifiedNewton = False
        integration.newton.relativeTolerance = next(
            value for most, value in NEWTON.items() if elements <= most
        )
        integration.newton.absoluteTolerance = NEWTON_ABSOLUTE
        integration.generalizedAlpha.spectralRadius = SPECTRAL_RADIUS
        settings.solution.file.write = False
        settings.solution.sensors.writePeriod = self._case.times[1]
        settings.show.statistics = settings.show.computationTime = False
        if elements >= SPARSE_FROM:
            settings.linearSolver.solverType = self._exu.LinearSolverType.EigenSparse
        return settings

    def solve(self) -> None:
        """Integrate from the start to the end of the case."""
        method = self._exu.DynamicSolverType.GeneralizedAlpha
        self._system.SolveDynamic(self._settings, solverType=method)

    def tips(self) -> np.ndarray:
        """Where the tip was in the last solution, complex (instants + 1,) [m]."""
        _, x, y, _ = self._system.GetSensorStoredData(self._tip).T
        return x + 1j * y
