"""The steps of DOP853 for several integrations side by side, compiled for a fixed number of lanes."""

from __future__ import annotations

from flexarm.solvers.dop853.kernel import SIGNATURE as SIGNATURE
from flexarm.solvers.dop853.kernel import kernel
from flexarm.solvers.dop853.layout import LANES

advance = kernel(LANES)
