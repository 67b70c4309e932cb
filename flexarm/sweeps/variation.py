"""An arm with some of its numbers replaced."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from pydantic import ValidationError

from flexarm.errors import SpecError
from flexarm.spec.arm import Arm
from flexarm.spec.base import SpecModel
from flexarm.spec.initial import Initial
from flexarm.spec.joint import Joint
from flexarm.spec.link import Link
from flexarm.spec.load import Payload
from flexarm.spec.loader import parse_arm
from flexarm.spec.messages import problems
from flexarm.spec.run import Run
from flexarm.spec.yaml_text import Document, read_yaml
from flexarm.sweeps.keys import Slot, find_slots

PARTS: dict[str, type[SpecModel]] = {"payload": Payload, "initial": Initial, "run": Run}
ENTRIES: dict[str, type[SpecModel]] = {"links": Link, "joints": Joint}
"""Parts of an arm, and entries of its lists, that are valid or not whatever the rest of the arm is."""


class Variation:
    """Makes arms from a description and values of its varied keys.

    The text is parsed once, and parts in which no key stands are validated once. Every arm then passes the whole
    validation of an arm file, because keys depend on one another in ways that no look at a single value tells: a
    duration on tables, a number of modes on initial values.

    Parameters
    ----------
    text : str
        The description, as of :attr:`Arm.text <flexarm.spec.arm.Arm.text>`.
    keys : sequence of str

    Raises
    ------
    KeyFault
        A key does not exist or holds no number.

    Attributes
    ----------
    base : Arm
        The arm as described.
    slots : list of list of Slot
        Where each key stands.
    """

    def __init__(self, text: str, keys: Sequence[str]):
        self.base = parse_arm(text)
        self._data = read_yaml(text, "arm").data
        self._changing = threading.Lock()  # workers of a cluster may be threads of one process
        self.keys = tuple(keys)
        self.slots: list[list[Slot]] = [find_slots(self._data, self.base, key) for key in keys]
        self._validated = self._fixed_parts_validated()

    @property
    def data(self) -> dict:
        """Plain data of the description, as last varied."""
        return self._data

    def arm(self, values: Sequence[float | str]) -> Arm:
        """Return the arm with these values of the keys.

        Raises
        ------
        SpecError
            The values make no valid arm; they are named.
        """
        try:
            with self._changing:
                for slots, value in zip(self.slots, values, strict=True):
                    for slot in slots:
                        slot.container[slot.part] = value
                return Arm.model_validate(self._validated)
        except ValidationError as error:
            where = told(self.keys, values)
            raise SpecError(problems(error, Document("", self._data), where, Arm)) from None

    def _fixed_parts_validated(self) -> dict:
        """The data, with models in the place of the parts that no key changes."""
        varied = {slot.path[:depth] for slots in self.slots for slot in slots for depth in (1, 2)}
        data = dict(self._data)
        for name in PARTS.keys() & data.keys() - {path[0] for path in varied}:
            data[name] = PARTS[name].model_validate(data[name])
        for name in ENTRIES.keys() & data.keys():
            data[name] = [
                entry if (name, k) in varied else ENTRIES[name].model_validate(entry)
                for k, entry in enumerate(data[name])
            ]
        return data


def told(keys: Sequence[str], values: Sequence[float | str]) -> str:
    """Name a point: ``links[0].EI = 1000, payload.mass = 0.5``."""
    pairs = zip(keys, values, strict=True)
    return ", ".join(
        f"{key} = {value if isinstance(value, str) else format(value, 'g')}" for key, value in pairs
    )
