"""Parametric model of arms that differ only in numbers: derived and compiled once, run as often as wanted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import casadi as ca
import numpy as np

from flexarm.codegen.parameter_hoisting import ParametricFunction
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.control.sensor_faults import stations as sensor_stations
from flexarm.description.arm.load import Station
from flexarm.formulations.derivation_cost import derivation
from flexarm.formulations.formulation import make_formulation
from flexarm.model.chain import Chain
from flexarm.model.chain_builder import build_chain
from flexarm.model.numbers import flatten, unflatten
from flexarm.model.tabled_chain import tabled
from flexarm.results.dimensions import STATIONS
from flexarm.simulation.contact.constraints.joint_stops import stops_of
from flexarm.simulation.contact.equations.contact_dynamics import derive_contacts
from flexarm.simulation.contact.equations.contact_functions import ContactFunctions
from flexarm.simulation.contact.gaps.gap_functions import contact_forces
from flexarm.simulation.contact.joint_impulses import joint_impulse_function
from flexarm.simulation.forward.motion_impulses import motion_impulse_terms
from flexarm.simulation.forward.sampling.function_updates import function_inputs
from flexarm.simulation.forward.sampling.sampled_updates import sampled_update_function
from flexarm.simulation.state.reading_function import reading_function
from flexarm.simulation.state.state_equation import StateEquation, derive_state_equation
from flexarm.simulation.state.symbols import SymbolicState

Made = TypeVar("Made")


@dataclass(frozen=True)
class ModelInstance:
    """One arm of a parametric model.

    Attributes
    ----------
    arm : Arm
    chain : Chain
    parameters : (n,)
        Its values of the numbers that the model leaves open.
    """

    arm: Arm
    chain: Chain
    parameters: np.ndarray


class StructureMismatch(ValueError):
    """An arm differs from a parametric model in more than the numbers left open."""


class ParametricModel:
    """Equations of motion in which the numbers that differ among some arms are left open.

    What is zero, and what is the same, in all these arms stays a constant of the equations: the model of one arm has
    no parameters. So whether another arm is an instance, and what comes out for it, depends on the arms that the model
    was made of, and on nothing else.

    Parameters
    ----------
    arms : sequence of Arm
        Representatives, alike but for numbers.
    datasets : collection of str, optional
        What runs record besides the time; everything unless given.
    inputs : sequence of int
        Joints, from 0, whose drives take a torque from outside: numbers that all functions read before the parameters.

    Attributes
    ----------
    symbols : SymbolicState
        Of which its functions are made.

    Raises
    ------
    StructureMismatch
        The representatives differ in more than numbers.
    """

    def __init__(
        self, arms: Sequence[Arm], datasets: Collection[str] | None = None, inputs: Sequence[int] = ()
    ):
        self._datasets = datasets
        read = [_ArmNumbers.of(arm) for arm in arms]
        if any(other.structure != read[0].structure for other in read[1:]):
            raise StructureMismatch("arms of one model differ in more than numbers")
        self._first = read[0]
        numbers = np.stack([one.numbers for one in read])
        differ = np.any(numbers != numbers[0], axis=0)
        self._open, self._closed = np.flatnonzero(differ), np.flatnonzero(~differ)
        torques = {joint: ca.SX.sym(f"input_{joint + 1}") for joint in inputs}
        self._made: dict[Hashable, Any] = {}
        self.symbols = replace(self._symbolic_state(), inputs=torques)

    def instance(self, arm: Arm) -> ModelInstance:
        """Instance of the model: an arm with its parameters.

        Raises
        ------
        StructureMismatch
            It differs in more than the numbers left open.
        """
        read = self._first if arm is self._first.arm else _ArmNumbers.of(arm)
        closed = self._closed
        same = read.structure == self._first.structure
        if not same or (read.numbers[closed] != self._first.numbers[closed]).any():
            raise StructureMismatch(f"{arm.name}: differs from its model in more than the numbers left open")
        return ModelInstance(arm, read.chain, read.numbers[self._open])

    @property
    def n_inputs(self) -> int:
        """Number of torques from outside."""
        return len(self.symbols.inputs)

    @property
    def labels(self) -> Sequence[str]:
        """Name of every coordinate of theta_d."""
        return self._first.chain.coordinates.labels

    @cached_property
    def state_equation(self) -> StateEquation:
        """State equation and observables."""
        symbols = self.symbols
        with self.derivation():
            driven = symbols.arm.is_event_driven
            contact = contact_forces(symbols.arm, symbols.chain, symbols.theta) if driven else None
            return derive_state_equation(symbols, contact, self._datasets)

    @cached_property
    def contacts(self) -> ContactFunctions:
        """Contact kinematics, and equations of motion with active contacts."""
        with self.derivation():
            return derive_contacts(self.symbols)

    @cached_property
    def joint_impulses(self) -> ParametricFunction:
        """Impulses of the joints in impacts."""
        with self.derivation():
            return joint_impulse_function(self.symbols)

    @cached_property
    def motion_impulse_terms(self) -> ParametricFunction:
        """Terms of the impulses of prescribed motions."""
        symbols = self.symbols
        tables = symbols.signals.tables.copy()
        return ParametricFunction(motion_impulse_terms(symbols), symbols.parameters.numel(), tables)

    @cached_property
    def sampled_update(self) -> ParametricFunction:
        """What sampled sensors and controllers do at an instant."""
        with self.derivation():
            return sampled_update_function(self.symbols)

    @cached_property
    def function_inputs(self) -> ParametricFunction:
        """What Python functions among the controllers read at an instant."""
        with self.derivation():
            return function_inputs(self.symbols)

    def readings(self, asked: Sequence[str]) -> tuple[tuple[str, ...], ParametricFunction]:
        """Names of what sensors and words stand for, and their readings as a function of time and state."""
        with self.derivation():
            return reading_function(self.symbols, asked)

    def mass_matrices(self, instances: Sequence[ModelInstance], thetas: Sequence[np.ndarray]) -> np.ndarray:
        """Mass matrices (k, n_dof, n_dof) [kg m^2, kg m, kg] of k instances at their theta (n_theta,)."""
        theta, parameters = (np.empty(self._mass_matrix.size1_in(k)) for k in range(2))
        M = np.empty((self.symbols.chain.coordinates.n_dof,) * 2)
        buffer, evaluate = self._mass_matrix.buffer()  # a fifth of the time of a call; its own, for threads
        for k, array in enumerate((theta, parameters)):
            buffer.set_arg(k, memoryview(array))  # pyright: ignore
        buffer.set_res(0, memoryview(M))  # pyright: ignore
        matrices = np.empty((len(instances), *M.shape))
        for found, instance, at in zip(matrices, instances, thetas, strict=True):
            theta[:], parameters[:] = at, instance.parameters
            evaluate()
            found[:] = M.T  # CasADi goes column by column
        return matrices

    @cached_property
    def _mass_matrix(self) -> ca.Function:
        chain = self.symbols.chain
        theta = ca.SX.sym("theta", chain.coordinates.n_theta)
        with self.derivation():
            M = make_formulation(self.symbols.arm.run.formulation, chain).mass_matrix(theta)
            return ca.Function("mass_matrix", [theta, self.symbols.parameters], [ca.densify(M)])

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What is made of the functions of the model for all of its arms, once: machine code of derivatives, say."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def derivation(self) -> AbstractContextManager[None]:
        """Stage in which functions are derived from the symbols, after a check of the memory that it needs."""
        return derivation(self._first.chain, self._first.arm.run.formulation)

    def _symbolic_state(self) -> SymbolicState:
        """The first arm with symbols in the place of the numbers left open."""
        first = self._first
        if not self._open.size:
            return SymbolicState.of(first.arm, first.chain)
        symbols = ca.SX.sym("parameter", self._open.size)
        numbers: list = first.numbers.tolist()
        for symbol, k in zip(ca.vertsplit(symbols), self._open, strict=True):
            numbers[k] = symbol
        chain, drive, motors, loads, contact, sensors, controllers, disturbances, angles = unflatten(
            first.parts, numbers
        )
        initial = first.arm.initial.model_copy(update={"joints": angles})
        joints = tuple(
            joint if motor is None else joint.model_copy(update={"motor": motor})
            for joint, motor in zip(first.arm.joints, motors, strict=True)
        )
        update = {"drive": drive, "joints": joints, "loads": loads, "contact": contact, "sensors": sensors}
        update |= {"initial": initial, "controllers": controllers, "disturbances": disturbances}
        return SymbolicState.of(first.arm.model_copy(update=update), chain, symbols)


@dataclass(frozen=True)
class _ArmNumbers:
    """Structure and numbers of an arm: what the equations of motion depend on."""

    arm: Arm
    chain: Chain
    parts: tuple
    structure: tuple
    numbers: np.ndarray

    @classmethod
    def of(cls, arm: Arm) -> _ArmNumbers:
        chain = build_chain(arm)
        hold_angles = tuple(
            angle if drive is not None and drive.motion == "hold" else 0.0
            for drive, angle in zip(arm.drive, arm.initial.joints, strict=True)
        )
        motors = tuple(
            joint.motor if drive is not None and drive.needs_motor else None
            for drive, joint in zip(arm.drive, arm.joints, strict=True)
        )
        cuts = arm.run.load_stations if "loads" in arm.run.record else ()
        stretches = tuple((load.link, *load.stretch) for load in arm.loads if load.stretch is not None)
        table = tabled(chain, _stations(arm), cuts, _bends(arm), stretches)
        control = arm.sensors, arm.controllers, arm.disturbances
        parts = (table, arm.drive, motors, arm.loads, arm.contact, *control, hold_angles)
        structure, numbers = flatten(parts)
        dry_motions = tuple((i, arm.joints[i].friction.coulomb) for i in arm.dry_joints_in_motion)
        further = (
            structure,
            arm.base_kind,
            arm.run.formulation,
            stops_of(arm),
            arm.stays_in_plane,
            arm.dry_joints,
            dry_motions,
        )
        return cls(arm, chain, parts, further, numbers)


def _stations(arm: Arm) -> tuple[float, ...]:
    """Fractions of the links' lengths at which the equations ask how a section moves."""
    points = [] if arm.contact is None else arm.contact.points
    named = [point.at for point in points if isinstance(point, Station)]
    sensed = [station.at for _, station in sensor_stations(arm.sensors)]
    sensed += [one.force.at for _, one in arm.disturbances if isinstance(one.force, Station)]
    return (*STATIONS, *(load.station for load in arm.loads if load.stretch is None), *named, *sensed)


def _bends(arm: Arm) -> tuple[float, ...]:
    """Fractions of the links' lengths at which sensors measure the curvature."""
    gauges = (sensor.curvature or sensor.strain for _, sensor in arm.sensors)
    return tuple(station.at for station in gauges if station is not None)
