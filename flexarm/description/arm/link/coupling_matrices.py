"""Coupling matrices of a link: its mass, stiffness and modes as integrals, as a finite-element program gives them.

[BK83] writes the kinetic energy of a link with matrices C_i, C_ik and C_ikl and says that finite-element analysis may
supply them; with the stiffness matrix of the modes and their motion at the link's end nothing is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BeforeValidator, Field, ValidationInfo, model_validator

from flexarm.description.values.input_model import (
    Faults,
    InputModel,
    KeyPath,
    absent,
    expected,
    key,
    located,
    wrong,
)
from flexarm.description.values.quantities import NonNegative

if TYPE_CHECKING:
    import numpy as np

MOST_COUPLED_MODES = 20
"""Largest number of modes of a link that is given by matrices."""
ROUNDING = 1e-6
"""Relative error of matrices that are printed and read again, up to which they count as symmetric and definite [1]."""

LARGEST = 1e18
"""Largest size of an entry [SI units]."""

Entry = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-LARGEST, le=LARGEST)]
Matrix = tuple[tuple[Entry, ...], ...]


class StationMotion(InputModel):
    """Motion of one station of the link's axis per unit of each mode's amplitude."""

    eta: NonNegative = key("distance of the station from the start of the link", "m")
    displacement: Matrix = key("for each mode the displacement [x, y, z]", "-")
    rotation: Matrix = key("for each mode the rotation of the section about x, y, z", "1/m")


class CouplingMatrices(InputModel):
    """Coupling matrices of a link with m modes.

    A point of the undeformed link is at p_0 = [1, X, Y, Z], and a unit of mode k moves it by p_k = [0, x_k, y_k, z_k],
    both in the axes of the link's frame.
    """

    C: Matrix = key("C_i = 1/2 int p_0 p_0^T dm, 4 x 4", "kg, kg m, kg m^2")
    C_k: tuple[Matrix, ...] = key("C_ik = 1/2 int p_0 p_k^T dm: for each mode 4 x 4", "kg, kg m")
    C_kl: tuple[tuple[Matrix, ...], ...] = key("C_ikl = 1/2 int p_k p_l^T dm: for each two modes 4 x 4", "kg")
    K: Matrix = key("stiffness of the modes, m x m", "N/m")
    D: Matrix | None = key("damping of the modes, m x m; or the link's `damping`", "N s/m", default=None)
    stations: tuple[StationMotion, ...] = key(
        "stations of the axis at which the modes are known, the end of the link the last of them"
    )

    @property
    def n_modes(self) -> int:
        """Number of modes m."""
        return len(self.C_k)

    @property
    def mass(self) -> float:
        """Mass [kg]."""
        return 2 * self.C[0][0]

    @property
    def gram(self) -> np.ndarray:
        """Gram matrix int p p^T dm, (4 + 3 m, 4 + 3 m) [kg, kg m, kg m^2], of p = [1, X, Y, Z, x_1, y_1, z_1, x_2, ..].

        All modal integrals over the mass are sums of its entries.
        """
        import numpy as np

        m = self.n_modes
        gram = np.zeros((4 + 3 * m,) * 2)
        gram[:4, :4] = self.C
        gram[:4, 4:] = np.array(self.C_k).reshape(m, 4, 4)[:, :, 1:].transpose(1, 0, 2).reshape(4, 3 * m)
        gram[4:, :4] = gram[:4, 4:].T
        pairs = np.array(self.C_kl).reshape(m, m, 4, 4)[:, :, 1:, 1:]
        gram[4:, 4:] = pairs.transpose(0, 2, 1, 3).reshape(3 * m, 3 * m)
        return gram + gram.T

    def rigid(self) -> Self:
        """Same link without modes."""
        still = [station.model_copy(update={"displacement": (), "rotation": ()}) for station in self.stations]
        update = {"C_k": (), "C_kl": (), "K": (), "D": None, "stations": tuple(still)}
        return type(self).model_construct(**{**dict(self), **update})

    @model_validator(mode="after")
    def _check(self) -> Self:
        for check in (self._sizes, self._numbers):
            if faults := list(check()):
                raise located(faults)
        return self

    def _sizes(self) -> Faults:
        m = self.n_modes
        if not 1 <= m <= MOST_COUPLED_MODES:
            yield ("C_k",), wrong(f"got {m} matrices, expected 1 to {MOST_COUPLED_MODES}, one for each mode")
            return
        yield from _size(("C",), self.C, 4, 4)
        for k, matrix in enumerate(self.C_k):
            yield from _size(("C_k", k), matrix, 4, 4)
        if [len(row) for row in self.C_kl] != [m] * m:
            yield (
                ("C_kl",),
                wrong(f"got {_table_size(self.C_kl)} matrices, expected {m} x {m} as C_k has {m}"),
            )
        for k, row in enumerate(self.C_kl):
            for l, matrix in enumerate(row):
                yield from _size(("C_kl", k, l), matrix, 4, 4)
        yield from _size(("K",), self.K, m, m)
        if self.D is not None:
            yield from _size(("D",), self.D, m, m)
        if not self.stations:
            yield (
                ("stations",),
                absent("the end of the link at least: {eta: .., displacement: .., rotation: ..}"),
            )
        for s, station in enumerate(self.stations):
            yield from _size(("stations", s, "displacement"), station.displacement, m, 3)
            yield from _size(("stations", s, "rotation"), station.rotation, m, 3)

    def _numbers(self) -> Faults:
        import numpy as np

        C_k, C_kl = np.array(self.C_k), np.array(self.C_kl)
        yield from _symmetric(("C",), np.array(self.C))
        for k, matrix in enumerate(C_k):
            if matrix[:, 0].any():
                hint = "it is 1/2 int p_0 p_k^T dm, not its transpose" if not matrix[0].any() else ""
                yield ("C_k", k), wrong("its first column is not zero, as the first entry of p_k is", hint)
        if C_kl[:, :, 0].any() or C_kl[:, :, :, 0].any():
            yield ("C_kl",), wrong("first rows and columns are not all zero, as the first entry of p_k is")
        yield from _symmetric(
            ("C_kl",), C_kl.transpose(0, 2, 1, 3).reshape((4 * self.n_modes,) * 2), "C_kl = C_lk^T"
        )
        yield from _definite(
            ("K",), np.array(self.K), "a stiffness, positive definite", "hold the link at its start", 1e-12
        )
        if self.D is not None:
            yield from _definite(("D",), np.array(self.D), "damping, nowhere negative", "", -ROUNDING)
        yield from self._no_mass_distribution()
        yield from self._station_faults()

    def _no_mass_distribution(self) -> Faults:
        """Faults of matrices that are no integrals over one mass: their quadratic form would be negative somewhere."""
        import numpy as np

        m, gram = self.n_modes, self.gram
        if not gram[0, 0] > 0:
            yield ("C", 0, 0), wrong(f"got {self.C[0][0]}, expected half the mass of the link, > 0")
            return
        inertia = np.einsum("kaka->k", gram[4:, 4:].reshape(m, 3, m, 3))
        for k in np.flatnonzero(inertia <= 0):
            yield ("C_kl", int(k), int(k)), wrong("mode without inertia: its trace is not > 0")
        if np.all(inertia > 0) and (least := _least_eigenvalue(gram)) < -ROUNDING:
            message = (
                "C, C_k and C_kl are no integrals over one distribution of mass: scaled to a unit diagonal, the matrix "
                f"int p p^T dm that they make up has the eigenvalue {least:.2g}, expected none below zero"
            )
            yield ("C",), wrong(message, "do all have the factor 1/2, and the same axes, origin and modes?")

    def _station_faults(self) -> Faults:
        before = -1.0
        for s, station in enumerate(self.stations):
            if station.eta <= before:
                yield (
                    ("stations", s, "eta"),
                    wrong(f"got {station.eta} after {before}, expected increasing distances"),
                )
            if station.eta == 0 and any(map(any, station.displacement)):
                message = "the start of the link moves, but it is the origin of the link's frame"
                yield (
                    ("stations", s, "displacement"),
                    wrong(message, "hold the link there in the finite-element model"),
                )
            before = station.eta


def _size(path: KeyPath, matrix: Sequence[Sequence], rows: int, columns: int) -> Faults:
    if [len(row) for row in matrix] != [columns] * rows:
        yield path, wrong(f"got {_table_size(matrix)} numbers, expected {rows} x {columns}")


def _table_size(table: Sequence[Sequence]) -> str:
    widths = sorted({len(row) for row in table})
    return f"{len(table)} x {' or '.join(map(str, widths)) or 0}"


def _symmetric(path: KeyPath, matrix: np.ndarray, law: str = "a symmetric matrix") -> Faults:
    import numpy as np

    off = np.abs(matrix - matrix.T).max()
    if off > ROUNDING * np.abs(matrix).max():
        yield path, wrong(f"entries that mirror one another differ by {off:.3g}, expected {law}")


def _definite(path: KeyPath, matrix: np.ndarray, what: str, hint: str, least: float) -> Faults:
    """Faults of a matrix that is not symmetric, or whose eigenvalues, scaled to a unit diagonal, are not > `least`."""
    import numpy as np

    faults = list(_symmetric(path, matrix))
    if not faults and (np.any(matrix.diagonal() < 0) or not _least_eigenvalue(matrix) > least):
        faults.append(
            (
                path,
                wrong(f"its least eigenvalue is {np.linalg.eigvalsh(matrix)[0]:.3g}, expected {what}", hint),
            )
        )
    yield from faults


def _least_eigenvalue(matrix: np.ndarray) -> float:
    """Least eigenvalue of a symmetric matrix scaled to a unit diagonal [1]; rows of zeros stay."""
    import numpy as np

    diagonal = np.abs(matrix.diagonal())
    scale = 1 / np.sqrt(np.where(diagonal > 0, diagonal, np.abs(matrix).max() or 1.0))
    return float(np.linalg.eigvalsh((matrix + matrix.T) / 2 * np.outer(scale, scale))[0])


def _read(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, dict | CouplingMatrices):
        return value
    if not isinstance(value, str):
        raise expected("the name of a file with matrices, or {C: .., C_k: .., C_kl: .., K: .., stations: ..}")
    read_matrices = (info.context or {}).get("read_matrices")
    if read_matrices is None:
        raise wrong(
            f"got the file {value!r}, but this text has no folder to look for files in",
            "write the matrices themselves: {C: .., C_k: .., C_kl: .., K: .., stations: ..}",
        )
    return read_matrices(value)


MatricesInput = Annotated[
    CouplingMatrices | None, BeforeValidator(_read, json_schema_input_type=str | CouplingMatrices)
]
"""Matrices of a link; typed as the name of a YAML or JSON file beside the arm's, or as its keys."""
