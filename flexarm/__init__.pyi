"""The public names of flexarm and where they are defined; ``__init__.py`` reads this list too."""

from .analysis.campbell import Campbell as Campbell
from .analysis.campbell import campbell as campbell
from .analysis.checks.check import CheckReport as CheckReport
from .analysis.checks.check import check_arm as check_arm
from .analysis.checks.validity import run_warnings as run_warnings
from .analysis.convergence.converge import Convergence as Convergence
from .analysis.convergence.converge import converge as converge
from .analysis.equilibrium import Equilibrium as Equilibrium
from .analysis.equilibrium import static_equilibrium as static_equilibrium
from .analysis.linear_models.linear_model import LinearModel as LinearModel
from .analysis.linear_models.linearization import linearize as linearize
from .analysis.natural_modes import NaturalModes as NaturalModes
from .analysis.natural_modes import natural_modes as natural_modes
from .analysis.section_loads import SectionLoads as SectionLoads
from .analysis.section_loads import section_loads as section_loads
from .description.arm.arm import Arm as Arm
from .description.motion.trajectory import Trajectory as Trajectory
from .description.reading.loader import load_arm as load_arm
from .description.reading.loader import load_trajectory as load_trajectory
from .description.reading.loader import parse_arm as parse_arm
from .description.reading.loader import parse_trajectory as parse_trajectory
from .errors import FlexarmError as FlexarmError
from .errors import ModelError as ModelError
from .errors import ResultError as ResultError
from .errors import SolverError as SolverError
from .errors import SpecError as SpecError
from .formulations.motion_equations import MotionEquations as MotionEquations
from .formulations.motion_equations import motion_equations as motion_equations
from .plots.animation.animate import animate as animate
from .plots.plot import plot as plot
from .reports.report import report as report
from .results.reader import open_result as open_result
from .results.result import Result as Result
from .simulation.forward.simulate import simulate as simulate
from .simulation.inverse.inverse_dynamics import inverse as inverse
from .simulation.inverse.payload.load_capacity import payload as payload
from .simulation.inverse.task.operational_space import operational_space as operational_space
from .sweeps.parameters.replacement import replace as replace
from .sweeps.sweep import sweep as sweep
from .sweeps.sweep_reader import open_sweep as open_sweep
from .sweeps.sweep_result import SweepResult as SweepResult
from .urdf.import_urdf import ImportedArm as ImportedArm
from .urdf.import_urdf import import_urdf as import_urdf
from .validation.run import validate as validate

__version__: str
