"""Description of a serial arm: links, joints, payload, loads, walls, initial state, drives and run settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, PrivateAttr, model_validator

from flexarm.description.arm.chosen_segments import SegmentChoice
from flexarm.description.arm.consistency import (
    contact_faults,
    count_faults,
    drive_faults,
    first_order_faults,
    matrices_faults,
    proportion_faults,
    time_faults,
)
from flexarm.description.arm.control.control_graph import control_faults
from flexarm.description.arm.control.controller import Controller
from flexarm.description.arm.control.disturbance import Disturbance, disturbance_faults
from flexarm.description.arm.control.measured_pd import (
    as_typed,
    measured_pd_faults,
    measured_pds,
    with_measured_pds,
    with_references,
)
from flexarm.description.arm.control.named import Named
from flexarm.description.arm.control.sampling import Clock, all_clocks, sampling_faults
from flexarm.description.arm.control.sensor import Sensor
from flexarm.description.arm.control.sensor_faults import Measured
from flexarm.description.arm.floating_body import BaseBody, BaseType
from flexarm.description.arm.initial_values import complete_initial, initial_faults
from flexarm.description.arm.joint.excursions import limit_faults
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.link.link import Link
from flexarm.description.arm.load import Load, Payload
from flexarm.description.arm.required_capabilities import formulation_faults, required_capabilities
from flexarm.description.arm.walls import Contact
from flexarm.description.motion.drive import DriveInput
from flexarm.description.motion.initial import Initial
from flexarm.description.motion.run_settings import RunSettings
from flexarm.description.motion.shaper import ShapedMode
from flexarm.description.values.input_model import (
    InputModel,
    at_least_one,
    at_most,
    key,
    located,
    validated_as,
)
from flexarm.description.values.quantities import PARAMETERS_TEXT, Flag, Parameters, Vector
from flexarm.html import element, folded, table

if TYPE_CHECKING:
    from flexarm import Stepper

BASE = (
    "what the first joint stands on: fixed, planar = it floats along x and y, free = it floats and turns in space; or "
    "a floating body with its mass, inertia and the place of the joint"
)

MOST_LINKS = 1000
"""Links of an arm; deriving and compiling the equations of so many takes a minute."""


@cache
def _plain_joint() -> Joint:
    """Default joint, one object for all arms, which compare and hash quicker so."""
    return Joint()


class Arm(InputModel):
    """Serial arm as described by a YAML file.

    After validation ``joints`` and ``drive`` have one entry per link, ``initial`` one per joint and per mode,
    and every load names its link.
    """

    name: Annotated[str, Field(strict=True, pattern=r"^\w[\w.-]*$", max_length=100)] = key(
        "name of the arm, which also names its result files"
    )
    parameters: Parameters = key(PARAMETERS_TEXT, default=())
    gravity: Vector = key("acceleration of gravity along x, y, z", "m/s^2", default=(0.0, -9.81, 0.0))
    base: BaseType = key(BASE, default="fixed")
    base_body: BaseBody = key(BASE, default=None, alias="base")
    link_rotation: Literal["finite", "small"] = key(
        "end rotation of a deflected link: finite (a rotation), small (as published)", default="finite"
    )
    geometric_stiffening: Flag = key(
        "whether a bent link shortens, so that a pull along it stiffens and a push softens it; false: as published",
        default=True,
    )
    products_of_deflections: Flag = key(
        "whether the equations of motion keep products of two modal amplitudes; false: left out, as Korayem, Yao and "
        "Basu (1994) do",
        default=True,
    )
    links: Annotated[
        tuple[Annotated[Link, validated_as(Link)], ...],
        at_least_one("link"),
        at_most(MOST_LINKS, "links"),
    ] = key(
        f"links from the base to the tip, at most {MOST_LINKS}",
        json_schema_extra={"minItems": 1, "maxItems": MOST_LINKS},
    )
    joints: tuple[Annotated[Joint, validated_as(Joint)], ...] = key(
        "joints, one at the start of each link; revolute by default", default=()
    )
    payload: Payload = key("rigid body at the tip", default=Payload())
    initial: Annotated[Initial, validated_as(Initial)] = key("state at t = 0", default=Initial())
    drive: tuple[DriveInput, ...] = key(
        "what drives each joint: one entry per joint, null = free; none given = all free", default=()
    )
    loads: tuple[Load, ...] = key("external forces and moments", default=())
    contact: Contact | None = key("walls that the arm may strike and rest on; none by default", default=None)
    sensors: Named[Sensor] = key(
        "what is measured, by name: of a joint, a point, the bending of a link, the base, or forces",
        default=(),
    )
    controllers: Named[Controller] = key(
        "blocks that make signals of sensors, references and one another, by name; drives take them as torques",
        default=(),
    )
    disturbances: Named[Disturbance] = key(
        "torques and forces that no controller asks for, by name: seeded noise and signals of time",
        default=(),
    )
    run: Annotated[RunSettings, validated_as(RunSettings)] = key(
        "how the motion is computed; by default 1 s in samples of 0.01 s",
        default=RunSettings(duration=1.0, sample=0.01),
    )

    _text: str = PrivateAttr("")
    _open_text: str = PrivateAttr("")
    _segment_choices: tuple[SegmentChoice, ...] = PrivateAttr(())
    _unused_parameters: tuple[str, ...] = PrivateAttr(())
    _result_files: frozenset[Path] = PrivateAttr(frozenset())
    _functions: tuple[tuple[str, Callable], ...] = PrivateAttr(())

    @property
    def text(self) -> str:
        """YAML text that describes this arm by itself; empty for an arm that was not read from text."""
        return self._text

    @property
    def description(self) -> str:
        """YAML text as it was typed, tables of files in it: like :attr:`text`, but with `segments: auto`."""
        return self._open_text

    @property
    def result_files(self) -> frozenset[Path]:
        """Results of inverse runs that drives follow, which no run of this arm replaces; known where it was read."""
        return self._result_files

    @property
    def functions(self) -> Mapping[str, Callable]:
        """Python functions of controllers, by the names that the description has for them; none of a text."""
        return dict(self._functions)

    def with_functions(self, functions: Mapping[str, Callable]) -> Arm:
        """Return this arm with Python functions of its controllers."""
        found = self.model_copy()
        found._functions = tuple(functions.items())
        return found

    def replace(self, key: str | Mapping[str, float | str], value: float | str | None = None) -> Arm:
        """Return this arm with another value of a key, or with those of a mapping of keys.

        Keys and values are those of sweeps: ``arm.replace("payload.mass", 0.2)``, ``arm.replace({"links[*].EI": 50})``.

        Raises
        ------
        SpecError
            A key that the arm does not have, or values that make no valid arm.
        """
        import flexarm  # the names of the whole package, above all of its layers

        if isinstance(key, str) and value is None:
            raise TypeError(f"replace needs a value for {key!r}")
        return flexarm.replace(self, {key: value} if isinstance(key, str) else key)  # pyright: ignore[reportArgumentType]

    def stepper(
        self,
        period: float = 0.001,
        inputs: Iterable[str] | None = None,
        outputs: Iterable[str] | None = None,
    ) -> Stepper:
        """Return a stepper, by which a controller outside moves this arm period by period.

        See :class:`~flexarm.simulation.forward.stepping.stepper.Stepper`.
        """
        import flexarm  # the names of the whole package, above all of its layers

        return flexarm.Stepper(self, period=period, inputs=inputs, outputs=outputs)

    @property
    def segment_choices(self) -> tuple[SegmentChoice, ...]:
        """Numbers of segments that the description left open (`segments: auto`); its :attr:`text` has the numbers."""
        return self._segment_choices

    @property
    def has_open_shapers(self) -> bool:
        """True if input shapers leave their modes to the arm, which a run finds where its motion ends."""
        return any(
            own is not None and own.own_shaper is not None and own.own_shaper.is_open for own in self.drive
        )

    def with_shaped_modes(self, modes: Sequence[Sequence[ShapedMode] | None]) -> Arm:
        """Return this arm with modes of its shapers, one entry for each joint, None where nothing changes."""
        drive = list(self.drive)
        for i, (own, found) in enumerate(zip(self.drive, modes, strict=True)):
            if own is not None and found is not None and own.own_shaper is not None:
                tuned = own.with_shaper(own.own_shaper.with_modes([ShapedMode(*mode) for mode in found]))
                drive[i] = tuned.resolved(i, self.initial.joints[i])
        controllers = with_references(drive, self.controllers)
        return self.model_copy(update={"drive": tuple(drive), "controllers": controllers})

    @property
    def mass(self) -> float:
        """Mass of the base's body, links, hubs and payload [kg]."""
        base = self.base_body.mass if self.base_body is not None else 0.0
        links = sum(link.mass for link in self.links)
        return base + links + sum(joint.mass for joint in self.joints) + self.payload.mass

    @property
    def reach(self) -> float:
        """Length [m] of links and origins of joints one after the other; 1 m for an arm that is all at one place."""
        return (
            sum(link.length + joint.reach for link, joint in zip(self.links, self.joints, strict=True)) or 1.0
        )

    @property
    def unused_parameters(self) -> tuple[str, ...]:
        """Parameters on which nothing in the description depends."""
        return self._unused_parameters

    @property
    def base_kind(self) -> str:
        """Kind of the base's coordinates; a planar base without a body does not turn, since its first link does."""
        return "planar-turning" if self.base == "planar" and self.base_body is not None else self.base

    @property
    def limited_joints(self) -> tuple[int, ...]:
        """Joints that move freely between limits, counted from 0: those of prescribed motors too, on their springs."""
        return tuple(
            i
            for i, (joint, own) in enumerate(zip(self.joints, self.drive, strict=True))
            if joint.limits is not None and (joint.is_elastic or own is None or own.motion is None)
        )

    @property
    def has_wall_friction(self) -> bool:
        """True if walls rub: then there are forces along them, and the work of these is integrated."""
        return self.contact is not None and self.contact.has_friction

    @property
    def stays_in_plane(self) -> bool:
        """True if the arm moves in the xy plane."""
        directions = {direction for link in self.links for direction in link.mode_directions}
        level = self.base != "free" and all(joint.stays_in_plane for joint in self.joints)
        return level and directions <= {"y", "axial"}

    @property
    def has_soft_walls(self) -> bool:
        """True if there are walls with a stiffness: then the energy that these take is integrated."""
        return self.contact is not None and bool(self.contact.soft)

    @property
    def n_directions(self) -> int:
        """Directions along the walls in which any of these rubs: none, one of an arm in its plane, or two."""
        return (1 if self.stays_in_plane else 2) if self.has_wall_friction else 0

    @property
    def n_tangents(self) -> int:
        """The same of rigid walls, on which points stick."""
        rubs = self.contact is not None and any(each is not None for each in self.contact.rigid_frictions)
        return self.n_directions if rubs else 0

    @property
    def dry_joints(self) -> tuple[int, ...]:
        """Joints, of elastic ones the motors, that move freely under dry friction and may stick; counted from 0."""
        return tuple(
            i
            for i, (joint, own) in enumerate(zip(self.joints, self.drive, strict=True))
            if joint.moves and joint.friction.is_dry and (own is None or own.motion is None)
        )

    @property
    def dry_joints_in_motion(self) -> tuple[int, ...]:
        """Joints, of elastic ones the motors, that have dry friction and a prescribed motion; counted from 0."""
        dry = (i for i, joint in enumerate(self.joints) if joint.moves and joint.friction.is_dry)
        return tuple(i for i in dry if i not in self.dry_joints)

    @property
    def has_integrated_friction(self) -> bool:
        """True if walls rub, or joints that stick: then the work that this takes is integrated."""
        return self.has_wall_friction or bool(self.dry_joints)

    @property
    def has_stops(self) -> bool:
        """True if walls or limits of its joints may stop the arm."""
        return self.contact is not None or bool(self.limited_joints)

    @property
    def has_impacts(self) -> bool:
        """True if the arm may strike rigid walls or limits of its joints."""
        return bool(self.limited_joints) or (self.contact is not None and bool(self.contact.rigid))

    @property
    def accounts_for_impacts(self) -> bool:
        """True if it is recorded what impacts take: beside friction and soft walls, so that the balance closes."""
        return self.has_impacts and (self.has_integrated_friction or self.has_soft_walls)

    @property
    def is_event_driven(self) -> bool:
        """True if its motion is made of pieces: walls or limits may stop it, or joints stick."""
        return self.has_stops or bool(self.dry_joints)

    @property
    def clocks(self) -> list[Clock]:
        """When sensors measure and controllers compute, of those that do so at instants."""
        return all_clocks(self.sensors, self.controllers, self.disturbances)

    @property
    def flies(self) -> bool:
        """True if the arm floats or may strike walls: its simulation is a flight."""
        return self.base != "fixed" or self.contact is not None

    def __eq__(self, other: object) -> bool:
        """True if both describe the same arm, in whatever words."""
        return isinstance(other, Arm) and all(
            value == other.__dict__[name] for name, value in self.__dict__.items() if name != "parameters"
        )

    __hash__ = InputModel.__hash__

    def __repr__(self) -> str:
        """Say in a line what the arm is; its text has everything."""
        n, m = len(self.links), sum(link.n_modes for link in self.links)
        counts = f"{n} link{'s' * (n != 1)}, {m} mode{'s' * (m != 1)}, base {self.base}"
        return f"Arm {self.name!r}: {counts}, {self.run.duration:g} s"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        rows = [("", "length", "mass", "EI along y", "modes", "joint")]
        for i, (link, joint) in enumerate(zip(self.links, self.joints, strict=True), start=1):
            stiffness = "" if link.EI.y is None else f"{max(link.EI.y.values):g} N m^2"
            modes = link.modes_in_words
            mass = f"{link.length * link.mu.mean:.4g} kg"
            rows.append((f"link {i}", f"{link.length:g} m", mass, stiffness, modes, joint.type))
        if self.payload.mass:
            rows.append(("payload", "", f"{self.payload.mass:g} kg", "", "", ""))
        text = folded("description", element("pre", self.text)) if self.text else ""
        return element("p", repr(self)) + table(rows, "<>>><<") + text

    @model_validator(mode="after")
    def _complete(self) -> Self:
        n = len(self.links)
        self._assign(joints=self.joints or (_plain_joint(),) * n, drive=self.drive or (None,) * n)
        parts = self.initial, self.links, self.joints, self.base_kind, self.base_body is not None
        if faults := [
            *count_faults(self.links, self.joints, self.drive, self.loads),
            *initial_faults(*parts),
            *proportion_faults(self.payload, self.links),
        ]:
            raise located(faults)
        required = required_capabilities(self.base, self.link_rotation, self.geometric_stiffening, self.links)
        self._assign(initial=complete_initial(*parts[:4]), loads=tuple(load.on(n) for load in self.loads))
        if faults := list(drive_faults(self.drive, self.joints, self.initial.joints)):
            raise located(faults)
        starts = enumerate(zip(self.drive, self.initial.joints, strict=True))
        self._assign(drive=tuple(own and own.resolved(i, angle) for i, (own, angle) in starts))
        self._complete_control()
        if faults := [
            *contact_faults(self.contact, self.links, self.joints, self.drive, self.base),
            *limit_faults(self.joints, self.drive, self.initial, self.run.duration),
            *matrices_faults(self.links, self.loads, self.contact, self.sensors, self.geometric_stiffening),
            *formulation_faults(self.run.formulation, self.run.record, required),
            *(
                ()
                if self.products_of_deflections
                else first_order_faults(required, self.contact, bool(self.limited_joints))
            ),
            *time_faults(
                self.drive, self.joints, self.loads, self.controllers, self.disturbances, self.run.duration
            ),
        ]:
            raise located([(as_typed(path, self.drive), fault) for path, fault in faults])
        return self

    def _complete_control(self) -> None:
        """Complete sensors and controllers with those that PD drives are, and refuse what does not fit together."""
        names = [name for name, _ in self.disturbances]
        if measured_pds(self.drive):
            if faults := list(
                measured_pd_faults(self.drive, self.joints, self.sensors, self.controllers, names)
            ):
                raise located(faults)
            own = with_measured_pds(self.drive, self.joints, self.sensors, self.controllers)
            self._assign(sensors=own[0], controllers=own[1])
        if self.sensors:
            self._complete_sensors()
        if faults := [
            *control_faults(
                self.sensors, self.controllers, self.joints, self.drive, names, self.is_event_driven
            ),
            *sampling_faults(self.sensors, self.controllers, self.disturbances, self.run.duration),
            *disturbance_faults(self.disturbances, len(self.links)),
        ]:
            raise located([(as_typed(path, self.drive), fault) for path, fault in faults])

    def _complete_sensors(self) -> None:
        """Complete the sensors, whose places are those of this arm."""
        n, whole = len(self.links), []
        for name, sensor in self.sensors:
            known = sensor.strain is None or sensor.strain.link <= n
            whole.append((name, sensor.completed(self.links) if known else sensor))
        self._assign(sensors=tuple(whole))
        measured = Measured(self.links, self.joints, self.base_kind, self.contact, self.limited_joints)
        if faults := list(measured.faults(self.sensors)):
            raise located(faults)
