"""Real results to draw, simulated once: planar, spatial, rigid and locked arms."""

from __future__ import annotations

from functools import cache

from paths import ROBOTS

from flexarm import Result, load_arm, simulate

NAMES = tuple(sorted(path.stem for path in ROBOTS.glob("*.yaml")))


@cache
def simulated(name: str, duration: float = 0.3) -> Result:
    arm = load_arm(ROBOTS / f"{name}.yaml")
    return simulate(arm.model_copy(update={"run": arm.run.model_copy(update={"duration": duration})}))


def changed(result: Result, rows=slice(None), arrays=None, **attributes) -> Result:
    """The same result with fewer samples, other arrays or other attributes."""
    arrays_of_rows = {name: result.rows(name, rows) for name in result}
    return Result({**arrays_of_rows, **(arrays or {})}, {**result.attributes, **attributes})
