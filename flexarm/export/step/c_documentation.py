"""The comment at the head of an exported step: what it moves, how, in which order, and what it leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from flexarm.export.step.stepped_arm import SteppedArm
from flexarm.export.step.substeps import Substeps
from flexarm.model.coordinate_units import coordinate_units
from flexarm.simulation.sensors.named_outputs import sensors_named

USE = """\
  @_parameters p = @_DEFAULTS;
  @_state state;
  double u[@_N_INPUTS + 1] = {0}, y[@_N_OUTPUTS];
  @_init(&p, &state);
  for (;;) {
    u[0] = ..;                   what acts over the next period
    @_step(&p, &state, u, y);    returns 0 while the state is finite
  }"""


USE_MARK = "{use}"


def documentation(stepped: SteppedArm, chosen: Substeps, name: str, notes: Iterable[str]) -> str:
    """Document the file of an arm as a comment of C."""
    lines = _lines(stepped, chosen, notes)
    text = "\n".join(f" * {line}".rstrip().replace("*/", "* /") for line in lines)
    return f"/*\n{text}\n */".replace(USE_MARK, USE.replace("@", name).replace("\n", "\n * "))


def _lines(stepped: SteppedArm, chosen: Substeps, notes: Iterable[str]) -> Iterator[str]:
    arm, numbers = stepped.arm, stepped.numbers
    yield f"Motion of the arm {arm.name} over periods of {chosen.period:g} s, written by flexarm. SI units and radians."
    yield ""
    yield f"Method: {chosen}"
    if chosen.reason:
        yield f"({chosen.reason})"
    yield from (f"Note: {note}." for note in notes)
    yield ""
    yield USE_MARK
    yield ""
    yield "Include this file in one file of your program. It allocates nothing and has no variables of its own, so that"
    yield "each state is an arm by itself, in any thread."
    yield ""
    yield "Inputs, held over a period, added to what the description drives the joints with:"
    units = [arm.joints[int(text[7:-1]) - 1].kind.force_unit for text in stepped.inputs]
    yield from _numbered("u", stepped.inputs, units)
    yield "Outputs, at the end of a period:"
    yield from _numbered("outputs", stepped.outputs, _output_units(stepped))
    if numbers.keys:
        yield "Parameters: " + ", ".join(
            f"{field} = {value:g} ({key})"
            for field, key, value in zip(numbers.fields, numbers.keys, numbers.values, strict=True)
        )
    yield "State:"
    yield from _numbered("y", *_states(stepped))


def _output_units(stepped: SteppedArm) -> list[str]:
    arm = stepped.arm
    found = dict(chain.from_iterable(sensors_named(arm, text) for text in stepped.asked))
    return [found[name].unit(arm.joints) for name in stepped.outputs]


def _states(stepped: SteppedArm) -> tuple[list[str], list[str]]:
    """Names and units of the states."""
    layout, coordinates = stepped.symbols.layout, stepped.symbols.chain.coordinates
    units = coordinate_units(stepped.arm)
    turns = coordinates.n_theta != coordinates.n_dof
    theta_units = (*units[: coordinates.base[3]], *"1111") if turns else units
    names = [coordinates.theta_labels[row] for row in layout.theta_rows]
    its_units = [theta_units[row] for row in layout.theta_rows]
    for k in range(layout.n_integrals):
        names.append(f"state {k + 1} of drives, controllers and sensors")
        its_units.append("")
    names += [f"rate of {coordinates.labels[row]}" for row in layout.rows]
    return names, [*its_units, *(f"{units[row]}/s" for row in layout.rows)]


def _numbered(vector: str, names: Sequence[str], units: Sequence[str]) -> Iterator[str]:
    for k, (name, unit) in enumerate(zip(names, units, strict=True)):
        yield f"  {vector}[{k}]: {name}" + (f" [{unit}]" if unit else "")
    if not names:
        yield "  none"
