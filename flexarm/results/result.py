"""Result of a simulation, an inverse motion or an analysis: named arrays over time, and root attributes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.control.controller import outputs_of
from flexarm.errors import ResultError, SpecError
from flexarm.hints import did_you_mean
from flexarm.html import element, folded, joined, table
from flexarm.model.coordinates import Coordinates, arm_coordinates
from flexarm.results.attributes import as_of_now, described_arm
from flexarm.results.dimensions import sensor_datasets
from flexarm.results.units import units_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from xarray import Dataset

    from flexarm import SectionLoads


def stored_arm(attributes: Mapping[str, Any], path: Path | None) -> Arm:
    """Read the arm from the description that a result carries.

    Raises
    ------
    ResultError
        That is no valid description.
    """
    try:
        return described_arm(attributes, source="robot")
    except SpecError as fault:
        raise ResultError(
            f"cannot read {path or 'this result'}: the description of the arm that it carries is wrong "
            f"({fault.problems[0]})"
        ) from fault


class Result(Mapping[str, np.ndarray]):
    """Arrays over time by name: ``result["joint_angle"]`` or ``result.joint_angle``.

    Arrays of a result opened from a file are read when they are first asked for. They cannot be written to.

    Parameters
    ----------
    arrays : mapping of str to array
        Datasets named as in `flexarm.results.schema`, time along the first axis. Anything with ``shape`` that
        gives an ndarray when indexed will do.
    attributes : mapping of str to str, int or float
        How the result came about, see :data:`~flexarm.results.attributes.ATTRIBUTES`: ``kind``, ``status``, ``robot``
        (the YAML text of the arm), ``method`` and so on.
    path : Path, optional
        The file that the result was opened from.
    """

    def __init__(self, arrays: Mapping[str, Any], attributes: Mapping[str, Any], path: Path | None = None):
        self._arrays = dict(arrays)
        self._read: dict[str, np.ndarray] = {}
        self.attributes = MappingProxyType(dict(attributes))
        self.path = path

    @property
    def kind(self) -> str:
        """Kind of the computation: ``forward`` and others."""
        return self.attributes["kind"]

    @property
    def status(self) -> str:
        """``complete``, or ``incomplete`` if the computation stopped early; `message` has the reason."""
        return self.attributes["status"]

    @property
    def message(self) -> str:
        """Reason of an early end, or a warning; empty if all went well."""
        return self.attributes.get("message", "")

    @property
    def n_samples(self) -> int:
        """Number of instants."""
        return self.shape("time")[0]

    @cached_property
    def arm(self) -> Arm:
        """The arm that was simulated, from the description that the result carries.

        Raises
        ------
        ResultError
            That is no valid description.
        """
        return stored_arm(self.attributes, self.path)

    @property
    def tip(self) -> np.ndarray:
        """Position of the tip over time, (k, 3) [m]."""
        return self.point_position[:, -1]

    def plot(self, name: str | None = None) -> Figure:
        """Draw one of the standard pictures, the first one unless named; see :func:`flexarm.plot`."""
        import flexarm  # the names of the whole package, above all of its layers

        return flexarm.plot(self, name)

    def sensor(self, name: str, *, exact: bool = False) -> np.ndarray:
        """Reading of a sensor of the arm over time, (k,) in its unit, or with `exact` the true value.

        Raises
        ------
        ResultError
            The arm has no such sensor, or the result does not hold what sensors measure.
        """
        names = [name for name, _ in self.arm.sensors]
        dataset = sensor_datasets(self.arm)[0 if exact else -1]
        return self[dataset][:, self._number("sensor", name, names)]

    def controller(self, name: str) -> np.ndarray:
        """Output of a controller of the arm over time, (k,); of one with several outputs ``NAME.1`` and so on.

        Raises
        ------
        ResultError
            The arm has no such controller, or the result does not hold its outputs.
        """
        names = list(outputs_of(dict(self.arm.controllers)))
        return self["controller_output"][:, self._number("controller", name, names)]

    def _number(self, what: str, name: str, names: Sequence[str]) -> int:
        if name not in names:
            hint = did_you_mean(name, names, f"there are {', '.join(names)}" if names else "there are none")
            raise ResultError(f"{self.arm.name}: no {what} {name!r} ({hint})")
        return names.index(name)

    def loads(self, link: int, at: float) -> SectionLoads:
        """Force and moment in a section of a link, from 1, at `at` of its length; see :func:`flexarm.section_loads`."""
        import flexarm  # the names of the whole package, above all of its layers

        return flexarm.section_loads(self, link, at)

    def to_xarray(self) -> Dataset:
        """Return everything as a dataset of xarray, with coordinates, units and meanings.

        Raises
        ------
        ResultError
            xarray is not installed.
        """
        from flexarm.results.xarray_dataset import as_xarray

        return as_xarray(self, self.attributes, self.arm)

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of a dataset without reading it."""
        return tuple(self._arrays[self._known(name)].shape)

    def rows(self, name: str, selection: slice | np.ndarray) -> np.ndarray:
        """Read some samples of a dataset and no more than those.

        Parameters
        ----------
        name : str
            Name of the dataset.
        selection : slice or (k,) int
            Which samples; indices must increase.

        Returns
        -------
        (k, ..)
            Shape and unit as :data:`~flexarm.results.schema.DATASETS` has them.
        """
        return np.asarray(self._arrays[self._known(name)][selection])

    @cached_property
    def _layout(self) -> Coordinates:
        return arm_coordinates(self.arm)

    def theta(self, selection: slice | np.ndarray = slice(None)) -> np.ndarray:
        """Return the generalised coordinates at some samples, given as a slice or as indices (k,).

        Returns
        -------
        ndarray, (k, n_theta) [rad, m or rad]
            q_1, delta_11, .., q_2, delta_21, .. in the papers' order, then motors of elastic joints and a floating
            base; fixed joints are no coordinates.

        Raises
        ------
        ResultError
            Some of them are not finite.
        """
        theta = np.empty((len(self.rows("time", selection)), self._layout.n_theta))
        self._fill_arm(theta, "joint_angle", "mode_amplitude", "motor_angle", selection)
        if self.arm.base == "planar":
            theta[:, self._layout.base_theta[:2]] = self.rows("base_position", selection)[:, :2]
            if self.arm.base_body is not None:
                turn = self.rows("base_orientation", selection)
                theta[:, self._layout.base_theta[2]] = np.unwrap(2 * np.arctan2(turn[:, 3], turn[:, 0]))
        elif self.arm.base == "free":
            pose = self.rows("base_position", selection), self.rows("base_orientation", selection)
            theta[:, self._layout.base_theta] = np.hstack(pose)
        if not np.isfinite(theta).all():
            raise ResultError(
                f"cannot read {self.path or 'this result'}: its coordinates are not finite numbers"
            )
        return theta

    def theta_d(self, selection: slice | np.ndarray = slice(None)) -> np.ndarray:
        """Return the rates of the generalised coordinates at some samples, (k, n_dof) [rad/s, m/s or rad/s].

        Samples are given as a slice or as indices (k,). A free base has its velocity [m/s] and its angular velocity
        [rad/s] there.
        """
        theta_d = np.empty((len(self.rows("time", selection)), self._layout.n_dof))
        self._fill_arm(theta_d, "joint_velocity", "mode_velocity", "motor_velocity", selection)
        if self.arm.base == "planar":
            theta_d[:, self._layout.base[:2]] = self.rows("base_velocity", selection)[:, :2]
            if self.arm.base_body is not None:
                theta_d[:, self._layout.base[2]] = self.rows("base_angular_velocity", selection)[:, 2]
        elif self.arm.base == "free":
            speeds = self.rows("base_velocity", selection), self.rows("base_angular_velocity", selection)
            theta_d[:, self._layout.base] = np.hstack(speeds)
        return theta_d

    def theta_dd(self, selection: slice | np.ndarray = slice(None)) -> np.ndarray:
        """Return the second rates of the generalised coordinates at some samples, (k, n_dof) [rad/s^2, m/s^2].

        Samples are given as a slice or as indices (k,). Those of a floating base are not recorded: NaN.
        """
        theta_dd = np.full((len(self.rows("time", selection)), self._layout.n_dof), np.nan)
        names = "joint_acceleration", "mode_acceleration", "motor_acceleration"
        self._fill_arm(theta_dd, *names, selection)
        return theta_dd

    def _fill_arm(
        self, vector: np.ndarray, joints: str, modes: str, motors: str, selection: slice | np.ndarray
    ) -> None:
        moving = [i for i, row in enumerate(self._layout.joints) if row is not None]
        vector[:, self._layout.moving_joints] = self.rows(joints, selection)[:, moving]
        vector[:, self._layout.all_modes] = self.rows(modes, selection)
        if self._layout.moving_motors:
            elastic = [i for i, row in enumerate(self._layout.motors) if row is not None]
            vector[:, self._layout.moving_motors] = self.rows(motors, selection)[:, elastic]

    def save(self, path: str | os.PathLike, overwrite: bool = False) -> None:
        """Write the result to an HDF5 file, whole or not at all.

        Raises
        ------
        ResultError
            If the file exists and `overwrite` is false, or cannot be written.
        """
        from flexarm.results.hdf5_output import check_result_target  # h5py takes time to import
        from flexarm.results.writer import write_result

        check_result_target(path, overwrite)
        write_result(self._arrays, as_of_now(self.attributes), path, overwrite)

    def _known(self, name: str) -> str:
        if name in self._arrays:
            return name
        hint = did_you_mean(name, self._arrays)
        raise KeyError(f"no dataset {name!r}{hint and '; '}{hint} (there are {', '.join(self._arrays)})")

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._read:
            array = np.asarray(self._arrays[self._known(name)]).view()
            array.flags.writeable = False
            self._read[name] = array
        return self._read[name]

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __contains__(self, name: object) -> bool:
        return name in self._arrays

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._arrays]

    def __repr__(self) -> str:
        return str(self).partition("\n")[0]

    def _repr_html_(self) -> str:
        rows = [("name", "shape", "unit", "meaning")]
        rows += [(name, f"{self.shape(name)}", *units_of(name, self.arm)) for name in self]
        note = [element("p", self.message)] if self.message else []
        return joined([element("p", repr(self)), *note]) + folded(
            f"{len(self)} datasets", table(rows, "<<<<")
        )

    def __str__(self) -> str:
        name = self.arm.name if "robot" in self.attributes else "unnamed"
        end = self.rows("time", slice(self.n_samples - 1, None)) if self.n_samples else [0.0]
        lines = [
            f"Result: {self.kind} of {name!r}, {self.status}, {self.n_samples} samples to t = {end[0]:g} s"
        ]
        if self.message:
            lines.append(f"  {self.message}")
        width = max(map(len, self._arrays))
        lines += [f"  {name:<{width}}  {self.shape(name)}" for name in self]
        return "\n".join(lines)
