"""One file of C99 that moves an arm by a period: generated functions, and the text of a method around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import casadi as ca

from flexarm.arguments import check_number
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.export.c_program import CFunction, IndexedText, number_text
from flexarm.export.functions import identifier
from flexarm.export.step import c_text
from flexarm.export.step.c_documentation import documentation
from flexarm.export.step.c_methods import RK4, rosenbrock_text
from flexarm.export.step.refusals import check_steppable, left_to_the_caller
from flexarm.export.step.rosenbrock import derivatives
from flexarm.export.step.stepped_arm import SteppedArm, stepped_arm
from flexarm.export.step.substeps import EXPLICIT, METHODS, Substeps, choose_substeps
from flexarm.hints import did_you_mean, listed
from flexarm.progress import grouped, stage
from flexarm.simulation.forward.stepping.stepper import completed

NUMBERS_A_LINE = 6
NO_MEMBER = "  char none; /* C wants a member; no number was left open */"


@dataclass(frozen=True)
class CStep:
    """An exported step.

    Attributes
    ----------
    text : str
        The C file.
    name : str
        With which all its names begin.
    substeps : Substeps
    inputs, outputs : tuple of str
        Names of the elements of the arrays.
    notes : tuple of str
        What the step does not do.
    """

    text: str
    name: str
    substeps: Substeps
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    notes: tuple[str, ...]


def c_step(
    arm: Arm,
    *,
    period: float = 0.001,
    inputs: Iterable[str] | None = None,
    outputs: Iterable[str] | None = None,
    parameters: Iterable[str] = (),
    method: str = EXPLICIT,
    substeps: int | None = None,
) -> CStep:
    """Write the motion of an arm over a period as a file of C99.

    Parameters
    ----------
    arm : Arm
        Without walls, limits and joints that stick.
    period : float [s]
        For which inputs are held.
    inputs, outputs : iterable of str, optional
        As of :class:`~flexarm.simulation.forward.stepping.stepper.Stepper`.
    parameters : iterable of str
        Keys of the description, as sweeps have them, whose values stay open.
    method : {"rk4", "rosenbrock"}
    substeps : int, optional
        Steps of a period; unless given, as many as the method needs at the start.

    Raises
    ------
    ModelError
        An arm that cannot be stepped so, or unknown names.
    """
    check_steppable(arm)
    check_number("period", period, above=0)
    if method not in METHODS:
        hint = did_you_mean(str(method), METHODS)
        raise ModelError(f"unknown method {method!r}, expected one of {listed(METHODS)}", hint=hint)
    stepped = stepped_arm(completed(arm), parameters, inputs, outputs)
    chosen = choose_substeps(stepped, method, period, substeps)
    notes = tuple(_notes(stepped, chosen))
    name = identifier(arm)
    text = "\n".join([documentation(stepped, chosen, name, notes), *_Writer(stepped, chosen, name).parts()])
    return CStep(text, name, chosen, stepped.inputs, stepped.outputs, notes)


def _notes(stepped: SteppedArm, chosen: Substeps) -> Iterator[str]:
    if not chosen.is_stable:
        yield (
            f"{chosen.method} with steps of {chosen.step:.3g} s is unstable: vibrations grow without bound, for it "
            f"needs steps below {chosen.stable_step:.3g} s"
        )
    yield from left_to_the_caller(stepped.arm, chosen.step)
    if stepped.numbers.keys and stepped.arm.initial.equilibrium:
        yield "the motion starts from the equilibrium of the numbers that the description has"


@dataclass(frozen=True)
class _Writer:
    """Writes the parts of the file of an arm, by whose name all its names begin."""

    stepped: SteppedArm
    chosen: Substeps
    name: str

    def parts(self) -> Iterator[str]:
        """Declarations, functions of the arm, the method, and the functions to call."""
        stepped, chosen = self.stepped, self.chosen
        sampled = stepped.update is not None
        yield self._put(c_text.HEAD, self._sizes())
        yield self._put(c_text.MARGIN, {"SUBSTEP": f"({chosen.period!r} / {chosen.count})"})
        yield from self._tables(stepped.tables)
        yield self._function("rates", stepped.rates, ["y_d"])
        if chosen.method == EXPLICIT:
            yield self._put(RK4)
        else:
            found = derivatives(stepped.rates)
            yield self._function("derivatives", found.f, ["y_d", "J", "y_dd"])
            yield self._put(rosenbrock_text(found))
        yield self._function("read", stepped.readings, ["outputs"])
        if stepped.update is not None:
            yield self._function("update", stepped.update, ["after"], "e")
            rows = ", ".join(f"{{{period}, {offset}}}" for period, offset in chosen.instants)
            yield self._put(c_text.INSTANTS, {"CLOCKS": str(len(chosen.instants)), "INSTANTS": rows})
        start = _numbers(stepped.y0)
        calls = {"UPDATE": c_text.UPDATE, "UPDATE_AT_START": c_text.UPDATE_AT_START}
        yield self._put(c_text.PUBLIC, {"START": start} | {key: calls[key] * sampled for key in calls})

    def _sizes(self) -> dict[str, str]:
        stepped, numbers = self.stepped, self.stepped.numbers
        fields = [
            f"  double {field}; /* {key} */" for field, key in zip(numbers.fields, numbers.keys, strict=True)
        ]
        return {
            "N": str(stepped.y0.size),
            "INPUTS": str(len(stepped.inputs)),
            "OUTPUTS": str(len(stepped.outputs)),
            "SUBSTEPS": str(self.chosen.count),
            "PERIOD": repr(float(self.chosen.period)),
            "FIELDS": "\n".join(fields) or NO_MEMBER,
            "DEFAULTS": f"{{{_numbers(numbers.values) or '0'}}}",
        }

    def _tables(self, tables: Sequence[PiecewisePolynomial]) -> Iterator[str]:
        """Tables as arrays, and the function that reads them all."""
        if not tables:
            return
        yield self._put(c_text.TABLE)
        calls = []
        for k, table in enumerate(tables):
            powers, pieces = table.coefficients.shape
            names = [f"@_{what}_{k}" for what in ("breaks", "coefficients")]
            for name, values in zip(names, (table.breaks, table.coefficients.ravel()), strict=True):
                yield self._put(f"static const double {name}[{values.size}] = {{{_numbers(values)}}};")
            calls.append(f"  s[{k}] = @_polynomial(t, {pieces}, {powers}, {', '.join(names)}, s_d + {k});")
        yield self._put(c_text.SIGNALS, {"TABLES": "\n".join(calls)})

    def _function(self, name: str, f: ca.Function, results: Sequence[str], extra: str = "") -> str:
        """Write a CasADi function (t, y, x, v, s, extra or s_d) as one of C; `extra` is that argument of an instant."""
        n_tables = len(self.stepped.tables)
        arguments: list[IndexedText] = [
            lambda _: "t",
            lambda k: f"y[{k}]",
            lambda k: f"p->{self.stepped.numbers.fields[k]}",
            lambda k: f"u[{k}]",
            lambda k: f"s[{k}]",
            lambda k: f"{extra or 's_d'}[{k}]",
        ]
        places: list[IndexedText] = [lambda k, result=result: f"{result}[{k}]" for result in results]
        parameters = {"p": "const @_parameters *p", "t": "double t"}
        parameters |= {each: f"const double *{each}" for each in ("y", "u", *filter(None, [extra]))}
        parameters |= {result: f"double *restrict {result}" for result in results}
        signals = {each: f"double {each}[{n_tables}]" for each in ("s", "s_d")} if n_tables else {}
        prologue = "  @_signals(t, s, s_d);\n" if n_tables else ""
        with stage(f"writing {grouped(f.n_instructions())} operations as C"):
            text = CFunction(f"@_{name}", parameters, signals, prologue).text(f, arguments, places)
        return self._put(text)

    def _put(self, text: str, texts: Mapping[str, str] | None = None) -> str:
        """Put texts and the name of the arm into a part of the file."""
        for mark, value in (texts or {}).items():
            text = text.replace(f"[{mark}]", value)
        return text.replace("@", self.name)


def _numbers(values: Iterable[float]) -> str:
    """Numbers of an array, some a line."""
    texts = [number_text(float(value)) for value in values]
    lines = [", ".join(texts[k : k + NUMBERS_A_LINE]) for k in range(0, len(texts), NUMBERS_A_LINE)]
    return ",\n  ".join(lines)
