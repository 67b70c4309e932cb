"""Contract of a method of inverse dynamics; :data:`flexarm.catalogue.INVERSE_METHODS` lists those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import ClassVar

from flexarm.arguments import check_name, check_number
from flexarm.catalogue import INVERSE_METHODS, load_source
from flexarm.hints import listed
from flexarm.progress import Progress
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.solution import Solution


@dataclass(frozen=True)
class InverseMethod(ABC):
    """A method of inverse dynamics; the fields of a subclass are its options, None where it chooses for itself.

    Attributes
    ----------
    tracks : bool
        Whether its torques lead the tip of the flexible arm, not only of a rigid one, along the path.
    """

    tracks: ClassVar[bool] = True

    @abstractmethod
    def solve(self, problem: InverseProblem, progress: Progress | None = None) -> Solution:
        """Find the motion.

        Raises
        ------
        ModelError
            The arm cannot follow the trajectory.
        SolverError
            There is no motion, or it was not found.
        """

    @classmethod
    def options(cls) -> set[str]:
        """Names of its options."""
        return {field.name for field in fields(cls)}


def make_inverse_method(name: str, **options: float | None) -> InverseMethod:
    """Make a method of a name in the catalogue with its options; those that are None count as not given.

    Raises
    ------
    ModelError
        There is no such method, or an option is no number that it takes.
    ValueError
        It has no such option.
    """
    check_name("method", name, INVERSE_METHODS)
    chosen = load_source(INVERSE_METHODS[name])
    given = {option: value for option, value in options.items() if value is not None}
    for option in given.keys() - chosen.options():
        raise ValueError(
            f"{option} belongs to method {listed(methods_with(option))}, and the method is {name}"
        )
    for option, value in given.items():
        if option == "step":
            check_number(option, value, above=0)
        else:
            check_number(option, value, least=0)
    return chosen(**given)


def methods_with(option: str) -> list[str]:
    """Names of the methods that have an option."""
    return [name for name, source in INVERSE_METHODS.items() if option in load_source(source).options()]
