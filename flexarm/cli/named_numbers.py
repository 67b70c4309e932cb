"""Numbers by name, as options take them."""

from __future__ import annotations

import click


class Named(click.ParamType):
    """Type of an option that takes a number by name, as in ``tip_y=400``, or for all, as in ``4``."""

    def __init__(self, alone: bool = False):
        self.alone = alone
        self.name = "NAME=NUMBER"

    def convert(
        self, value: str | tuple[str, float], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, float]:
        """Read name and number."""
        if isinstance(value, tuple):
            return value
        name, equals, number = value.rpartition("=")
        try:
            if not (equals and name) and not self.alone:
                raise ValueError
            return name.strip(), float(number)
        except ValueError:
            self.fail(f"got '{value}', expected NAME=NUMBER, e.g. tip_y=400", param, ctx)
