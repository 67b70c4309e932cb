"""Run of the validation cases: each compared with its reference, whatever becomes of the others."""

from __future__ import annotations

import os
from collections.abc import Sequence

from flexarm.arguments import check_list, check_name
from flexarm.progress import Progress
from flexarm.validation.case import Case, CaseResult
from flexarm.validation.registry import CASES


def validate(names: Sequence[str] | None = None, progress: Progress | None = None) -> list[CaseResult]:
    """Run the shipped validation cases.

    Parameters
    ----------
    names : sequence of str, optional
        Keys of `CASES`; all of them unless given.
    progress : callable, optional
        Receives the fraction done, before every case and at the end.

    Returns
    -------
    list of CaseResult
        In the order of the names.

    Raises
    ------
    ModelError
        There is no case of that name.

    Examples
    --------
    >>> import flexarm
    >>> cases = flexarm.validate(["cantilever-static"])
    >>> [case.passed for case in cases]
    [True]
    """
    if names is not None:
        check_list("names", names)
    for name in names or ():
        check_name("names", name, CASES)
    cases = list(CASES.values()) if names is None else [CASES[name] for name in names]
    results = []
    for case in cases:
        if progress is not None:
            progress(len(results) / len(cases), None)
        results.append(run_case(case))
    if progress is not None:
        progress(1.0, None)
    return results


def run_case(case: Case) -> CaseResult:
    """Run one case; a computation that fails gives a result too, so that the others go on."""
    expected = case.expected()
    try:
        return CaseResult(case, expected, tuple(float(number) for number in case.find()))
    except Exception as failure:
        if os.environ.get("FLEXARM_DEBUG"):
            raise
        return CaseResult(case, expected, (), " ".join(f"{type(failure).__name__}: {failure}".split()))
