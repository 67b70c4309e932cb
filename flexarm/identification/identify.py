"""Numbers of an arm's description found from measurements, by least squares with exact derivatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from flexarm.analysis.operating_points.posture import Posture
from flexarm.arguments import check_list, check_number, check_object, shown
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.identification.measured.columns import Columns, columns_of
from flexarm.identification.measured.measurements import Measurement, measurement_of, tables_of, texts_of
from flexarm.identification.searching.fit_problem import FitProblem
from flexarm.identification.searching.fit_setup import FitSetup
from flexarm.identification.searching.search import Search
from flexarm.identification.searching.starts import search_from
from flexarm.identification.small_motions.modal_target import modal_values
from flexarm.identification.small_motions.response_target import measured_response
from flexarm.identification.small_motions.small_motion_target import SmallMotions
from flexarm.identification.unknowns import unknowns_of
from flexarm.identification.worth.cross_validation import cross_validated
from flexarm.identification.worth.identification import Identification
from flexarm.identification.worth.near_start import near_start
from flexarm.identification.worth.verdict import fitted_arm, identification
from flexarm.progress import Progress

NO_EFFECT = 1e-12
"""Length of a column of the Jacobian, of the longest one, that is no effect at all."""


def identify(
    arm: Arm,
    data: Any = None,
    fit: Sequence[str] = (),
    *,
    columns: str | None = None,
    noise: Mapping[str, float] | None = None,
    start: float = 0.0,
    frequencies: str | Sequence[float] | None = None,
    damping_ratios: str | Sequence[float] | None = None,
    frf: Any = None,
    channel: tuple[str, str] = ("torque", "joints"),
    at: Posture = "initial",
    joints: str = "free",
    hold: Sequence[int] = (),
    starts: int = 1,
    workers: int | None = None,
    check: Any = None,
    progress: Progress | None = None,
    command: str = "flexarm.identify",
) -> Identification:
    """Fit numbers of an arm's description to measurements.

    Parameters
    ----------
    arm : Arm
    data : path or mapping of arrays, or a sequence of them, optional
        Measured runs: CSV files, or columns by name. The time is that of the run [s].
    fit : sequence of str
        Keys of numbers, as ``--vary`` names them, ``offset:COLUMN`` or ``delay:COLUMN``; with a start and bounds, if
        these are known: ``links[0].EI=2 in [1, 10]``. What begins positive stays so, unless the bounds say otherwise.
    columns : str, optional
        What the columns are: ``time, hub=joint_angle[0] [deg], u=drive[0].voltage, -``. By the header unless given.
    noise : mapping, optional
        Standard deviations of columns, in the units of what they are; estimated from what is left over unless given.
    start : float [s]
        Time of the data at which the run begins.
    frequencies, damping_ratios : str or sequence of float, optional
        Of the modes that vibrate, the slowest first: ``2.44 Hz +- 0.01 Hz, -, 9.1 Hz``.
    frf : path or mapping, optional
        Measured frequency response of one channel: a CSV file with frequency [Hz], magnitude and phase [deg], or
        arrays ``frequency`` and ``response``, complex.
    channel : (str, str)
        Its input and output, as of :func:`~flexarm.analysis.linear_models.linearization.linearize`.
    at, joints, hold
        Where these were measured, as of :func:`~flexarm.analysis.small_motions.natural_modes.natural_modes`.
    starts : int
        Searches, from the start and from places around it, side by side in worker processes.
    workers : int, optional
        Number of these, with several starts; one for each core and start unless given. The result does not depend on
        it, to the last bit.
    check : like `data`, optional
        Runs that are held back, to see how the fitted arm follows them.
    progress : callable, optional
    command : str
        What asked for the fit, for its page.

    Raises
    ------
    ModelError
        Controllers in Python, sensors of controllers that measure in steps; columns that are
        missing, unknowns without effect, fewer data than unknowns.
    SpecError
        Unknown keys, files that cannot be read.
    SolverError
        The arm does not move as it begins.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/lqr_arm.yaml")
    >>> found = flexarm.identify(arm, fit=["links[0].EI"], frequencies="1.77 Hz +- 0.01 Hz", joints="locked")
    >>> print(f"{found['links[0].EI']:.3f} +- {found.standard_errors[0]:.3f} N m^2")
    0.241 +- 0.003 N m^2

    Notes
    -----
    Least squares in a trust region [Levenberg1944, Marquardt1963, BranchColemanLi1999] with the derivatives of the
    variational equations. The window of the runs that is fitted grows from where the columns begin to move, so that a
    search does not lose count of the periods of a vibration; unknowns that a window does not tell stay near their
    start.
    """
    check_object("arm", arm, Arm)
    check_list("fit", fit)
    check_number("start", start)
    check_number("starts", starts, least=1, whole=True)
    if workers is not None:
        check_number("workers", workers, least=1, whole=True)
        if starts == 1:
            raise ModelError(
                f"workers: got {workers}, but the search from one start takes one process",
                hint="say `starts` too",
            )
    _check_options(columns, noise, channel)
    modal = modal_values(frequencies, damping_ratios)
    response = None if frf is None else measured_response(frf)
    if data is None and not modal.names and response is None:
        raise ModelError("got nothing that was measured", hint="say `data` or `frequencies`")
    if data is None and check is not None:
        raise ModelError("check: got runs that are held back, but none that is fitted", hint="say `data`")
    setup, measurements = _measured(arm, data, columns, start, "data")
    unknowns = unknowns_of(arm, fit, setup.outputs, measurements)
    where, both = SmallMotions(at, joints, hold), (channel[0], channel[1])
    fitted = FitSetup(arm, unknowns, setup, tuple(measurements), where, modal, response, both)
    _check_count(fitted)
    fitted_arm(
        arm, unknowns, np.array([one.start for one in unknowns]), np.zeros(len(unknowns))
    )  # or refused
    problem = fitted.problem()
    given = _given_noise(setup, noise or {})
    _check_effects(problem, given)
    searched = search_from(fitted, problem, given, int(starts), workers, progress)
    searched = near_start(problem, searched)
    checks = ()
    if check is not None:
        _, held_back = _measured(arm, check, columns, start, "check")
        values = problem.values_at(searched.best.x)
        checks = tuple(cross_validated(arm, unknowns, values, setup, one) for one in held_back)
    return identification(arm, problem, given, searched, checks, command)


def _check_options(columns: object, noise: object, channel: object) -> None:
    """Refuse options of other kinds than expected."""
    if columns is not None and not isinstance(columns, str):
        raise ModelError(f"columns: got {shown(columns)}, expected text such as 'time, hub=joint_angle[0]'")
    if noise is not None and not isinstance(noise, Mapping):
        raise ModelError(f"noise: got {shown(noise)}, expected a mapping of columns to numbers")
    pair = list(channel) if isinstance(channel, tuple | list) else []
    if len(pair) != 2 or not all(isinstance(name, str) for name in pair):
        raise ModelError(f"channel: got {shown(channel)}, expected the names of input and output")


def _measured(
    arm: Arm, data: Any, columns: str | None, start: float, argument: str
) -> tuple[Columns, list[Measurement]]:
    """Columns, and the measured runs; none of no data."""
    if data is None:
        return Columns(1.0, (), ()), []
    tables = tables_of(data, argument)
    texts = [texts_of(table, columns) for table in tables]
    setup = columns_of(arm, texts[0])
    found = []
    for table, own in zip(tables, texts, strict=True):
        if {one.name: one for one in own} != {one.name: one for one in texts[0]}:
            raise ModelError(
                f"{table.name}: its columns are not those of {tables[0].name}", hint="say `columns`"
            )
        found.append(measurement_of(table, own, setup, start))
    return setup, found


def _given_noise(setup: Columns, noise: Mapping[str, float]) -> np.ndarray:
    """Noise (c,) of the columns that is known, NaN where it is not."""
    names = [one.name for one in setup.outputs]
    for name, value in noise.items():
        if name not in names:
            raise ModelError(f"noise: no column {name!r} is measured, expected one of {', '.join(names)}")
        check_number(f"noise of {name}", value, above=0)
    return np.array([noise.get(one.name, one.noise or np.nan) for one in setup.outputs])


def _check_count(setup: FitSetup) -> None:
    """Refuse more unknowns than there are measured values."""
    unknowns, count = len(setup.unknowns), setup.n_measured
    if count < unknowns:
        raise ModelError(f"fit: {unknowns} unknowns, but {count} measured values", hint="fit fewer")


def _check_effects(problem: FitProblem, given: np.ndarray) -> None:
    """Refuse unknowns that change nothing that was measured."""
    found = problem.evaluate(np.zeros(len(problem.unknowns)))
    _, jacobian = problem.residuals(found, Search(problem, given).spread)
    lengths = np.linalg.norm(jacobian, axis=0)
    for one, length in zip(problem.unknowns, lengths, strict=True):
        if length <= NO_EFFECT * lengths.max():
            raise ModelError(
                f"fit: {one.name} has no effect on what was measured", hint="leave it out, or begin elsewhere"
            )
