"""Starter arm: the text of a complete description with every key explained, for a new user to change."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from pydantic import TypeAdapter, ValidationError

from flexarm.description.arm.arm import Arm
from flexarm.description.reading.yaml_files.yaml_text import read_yaml

LENGTH, MASS_PER_LENGTH, HUB, PAYLOAD = 1.0, 0.363, 0.2, 0.3  # m, kg/m of the tube below, kg, kg
FREQUENCY = 10.0  # rad/s: of a joint's controller
STEP = 1.5  # s: how long the joints move
COMMENTED = 34  # column at which comments begin


@dataclass(frozen=True)
class Starter:
    """Choices for a starter arm.

    Attributes
    ----------
    name : str
    n_links : int
        Flexible links; an arm that floats in space gets a rigid satellite before them.
    spatial : bool
        Moves and bends in space instead of in the xy plane.
    floating : bool
        Its base floats: it falls on a floor in the plane, and hangs on a satellite in space.
    file : str
        What the commands of the header call the file.
    """

    name: str
    n_links: int = 2
    spatial: bool = False
    floating: bool = False
    file: str = "arm.yaml"

    @property
    def has_satellite(self) -> bool:
        """True if link 1 is a rigid body that floats and turns."""
        return self.spatial and self.floating

    @property
    def falls(self) -> bool:
        """True if it falls on a floor, its joints free."""
        return self.floating and not self.spatial

    @property
    def angles(self) -> list[int]:
        """Initial angles of the revolute joints [deg]: up or down from the base, then level again."""
        waist = [0] if self.spatial and not self.floating else []
        raised, others = (20 if self.floating else -40), self.n_links - len(waist) - 1
        if others < 0:
            return waist
        return [*waist, raised, *[round(-raised / max(others, 1))] * others]

    @property
    def steps(self) -> list[int]:
        """Step of each joint's reference [deg]."""
        return [max(5, round(60 / self.n_links))] * self.n_links


def name_fault(name: str) -> str:
    """Fault of a name of an arm: what is expected; empty if the name is valid."""
    try:
        TypeAdapter(Annotated[str, Arm.model_fields["name"]]).validate_python(name)
    except ValidationError:
        return "at most 100 letters, digits, dashes, dots and underscores, beginning with a letter or digit"
    return ""


def starter_text(arm: Starter) -> str:
    """Write the YAML text of a starter arm."""
    blocks = [
        _head(arm),
        _links(arm),
        _joints(arm),
        _payload(arm),
        _initial(arm),
        _drive(arm),
        _contact_and_run(arm),
    ]
    lines = "\n".join(block.strip("\n") for block in blocks).splitlines()
    return "".join(f"{_aligned(line)}\n" for line in lines)


def _aligned(line: str) -> str:
    """Line with its comment, if it has code before it, at the column of comments or two spaces behind."""
    code, mark, comment = line.partition("  # ")
    return f"{code.rstrip():<{COMMENTED - 2}}{mark}{comment}" if mark and code.strip("# ") else line


def _head(arm: Starter) -> str:
    what = "one slender aluminium tube" if arm.n_links == 1 else f"{arm.n_links} slender aluminium tubes"
    if arm.has_satellite:
        shows = f"{what} on a satellite that floats and turns without gravity."
    elif arm.floating:
        shows = f"{what}, thrown in a vertical plane, that fall on a floor."
    else:
        shows = f"{what}, turned by controlled joints under gravity, with a payload."
    gravity, across = ("[0, 0, 0]", "none") if arm.has_satellite else ("[0, -9.81, 0]", "-y is down")
    if arm.spatial and not arm.floating:
        gravity, across = "[0, 0, -9.81]", "-z is down: the axis of joint 1 stands upright"
    base = f"{'planar' if arm.floating else 'fixed'}  # fixed, planar (floats along x and y) or free (floats and turns)"
    if arm.has_satellite:
        base = """ # a body that floats; or fixed, planar, free
  type: free  # floats and turns in space; planar: along x and y and about z
  mass: 200  # kg; the satellite
  inertia: [20, 19, 19]  # kg m^2 about its mass centre; a number is that about z
  attachment: [0.25, 0, 0]  # m: where joint 1 sits, as seen from the mass centre"""
    return f"""
# A starter arm: {shows}
#
# Written by `flexarm new`, to be changed: write here what the arm is and where its numbers come from. Then
#   flexarm check {arm.file}              # masses, frequencies, what looks wrong
#   flexarm simulate {arm.file} --plots   # motion and pictures
# Units are SI and radians; an angle may be written 30 deg. Expressions of time t stand in quotes, where allowed.
# `flexarm schema` lists every key, `flexarm examples` more arms.
name: {_quoted(arm.name)}  # also names the results: outputs/<name>.h5
gravity: {gravity}  # m/s^2 along x, y, z; {across}
base: {base}
link_rotation: finite  # end of a bent link: finite turn, or small as in the papers
geometric_stiffening: true  # a pull along a bent link stiffens it, a push softens it; false as in the papers
products_of_deflections: true  # false: left out of the equations of motion, as in one of the papers
"""


def _quoted(name: str) -> str:
    """Name as YAML text: in quotes where YAML would read a number or a truth value."""
    return name if read_yaml(f"name: {name}", name).data["name"] == name else f'"{name}"'


def _links(arm: Starter) -> str:
    directions = ("y", "z") if arm.spatial else ("y",)
    family = "hinged" if arm.falls else "clamped-free"
    sets = [f"{{family: {family}, count: 2, direction: {direction}}}" for direction in directions]
    modes = f"[{', '.join(sets)}]" if arm.spatial else f"{{family: {family}, count: 2}}"
    tube = f"""\
    material: {{E: 7.0e10, rho: 2700, nu: 0.33}}
    section: {{shape: tube, diameter: 0.03, thickness: 0.0015}}
    modes: {modes}
    damping: 0.01"""
    text = "\nlinks:  # from the base to the tip; x runs along a link, y and z across it\n"
    text += f"""\
  - length: {LENGTH}  # m
    material: {{E: 7.0e10, rho: 2700, nu: 0.33}}  # Young's modulus Pa, density kg/m^3, Poisson's ratio
    section: {{shape: tube, diameter: 0.03, thickness: 0.0015}}  # m; or circle, rectangle, box, I
    # Instead of material and section, mass per length and stiffness themselves, each a number or, where a link is
    # tapered, {{eta: [0, {LENGTH}], values: [0.7, 0.5]}} over the distance from its start [m]:
    #   mu: {MASS_PER_LENGTH}                   # kg/m
    #   EI: {{y: 957, z: 957}}        # N m^2 against deflection along y and z; a plain number is that along y
    #   GJ: 720                    # N m^2 against torsion
    # Shapes it bends in; without modes it is rigid.
    modes: {modes}
    # Families: clamped-free where the joint is driven, hinged where joints are free, clamped-loaded for a heavy tip,
    # fixed-free in direction torsion, .. More modes (count): more detail, higher frequencies, smaller steps.
    damping: 0.01  # of critical: one number for all modes, or a list
"""
    text += f"  - length: {LENGTH}\n{tube}\n" * (arm.n_links - 1)
    return text


def _joints(arm: Starter) -> str:
    return f"""
joints:  # one at the start of each link; revolute: it turns about the link's z axis
{"".join(f"  - {joint}{chr(10)}" for joint in _joint_list(arm))}\
  # Also: type: prismatic (slides, in m) or fixed with its angle; limits: [-90 deg, 90 deg]; twist and offset
  # (Denavit-Hartenberg alpha and d), or origin: {{xyz: .., rpy: ..}} and axis: [..]; and motor: {{inertia: 1e-5,
  # gear: 100, stall_torque: 0.5, no_load_speed: 400}} in kg m^2, -, N m and rad/s of the motor itself; with stiffness
  # [N m/rad] that motor turns behind a spring.
"""


def _joint_list(arm: Starter) -> list[str]:
    """Joints as YAML, each explained the first time."""
    friction = "friction: {viscous: 0.1}"
    hub = f"{{mass: {HUB}, inertia: [2e-4, 2e-4, 2e-4], {friction}}}"
    raised = hub.replace("{", "{twist: 90 deg, ", 1)
    if arm.has_satellite:
        first = [raised]
    elif arm.falls:
        first = ["{}  # turns the arm as a whole, without friction"]
    else:
        first = [f"{{{friction}}}  # N m s/rad; coulomb: dry friction, N m"]
    if arm.spatial and not arm.floating:
        first.append(raised)
    n = arm.n_links
    rows = [*first, *[hub] * (n - len(first))][:n]
    if n > 1:
        rows[1] += "  # hub: kg, kg m^2 about x, y, z"
    return rows


def _payload(arm: Starter) -> str:
    return f"""
payload: {{mass: {PAYLOAD}}}  # kg, at the tip; also inertia about its mass centre and its offset from the tip
"""


def _initial(arm: Starter) -> str:
    joints = ", ".join(f"{angle} deg" for angle in arm.angles)
    text = "\ninitial:  # at t = 0; what is not given is zero\n"
    text += f"  joints: [{joints}]  # of the revolute joints\n"
    if not arm.floating:
        return text + (
            "  equilibrium: true  # start at rest, bent by the weight; joints are then a first guess\n"
            "  # or instead: joint_rates: [..] in rad/s, modes: [..] and mode_rates: [..], the modal amplitudes\n"
        )
    if arm.spatial:
        return text + (
            "  base: [0, 0, 0, 0, 0, 0]  # where joint 1 is: m, and a rotation vector, rad\n"
            "  base_rates: [0, 0, 0, 0, 0, 1 deg/s]  # velocity m/s and angular velocity\n"
        )
    return text + (
        "  base: [0, 0.5]  # m: where link 1 begins\n"
        "  base_rates: [0.5, 1.0]  # m/s\n"
        "  # also: joint_rates: [..] in rad/s, modes: [..] and mode_rates: [..], the modal amplitudes\n"
    )


def _drive(arm: Starter) -> str:
    text = """
drive:  # one per joint; null: free
  # {torque: 2.0}                 # N m: a number, an expression such as "2*sin(pi*t)", or {table: FILE.csv}
  # {motion: "0.5*t**2"}          # rad: the joint follows exactly, its torque is computed; hold: stays where it is
  # {move: {to: 45 deg, duration: 2}}  # the same, from rest to rest; also start, from, law; in pd: as reference
  # {pd: ..}                      # torque = kp (r - q) + kd (r_d - q_d), r the reference; N m/rad, N m s/rad
  # torque, pd (also with ki) and gravity_compensation: true add up; saturate: true keeps to the motor's limits
"""
    for i in range(arm.n_links):
        if arm.falls:
            text += "  - null\n"
            continue
        kp, kd = _gains(arm, i)
        move = f"{{to: {arm.angles[i] + arm.steps[i]} deg, duration: {STEP}}}"
        text += f"  - {{pd: {{kp: {kp:g}, kd: {kd:g}, move: {move}}}}}\n"
    return text


def _gains(arm: Starter, i: int) -> tuple[float, float]:
    """Gains kp [N m/rad] and kd [N m s/rad] that swing what is outboard of joint i at FREQUENCY, in two digits."""
    tube = MASS_PER_LENGTH * LENGTH
    outboard = range(arm.n_links - i)
    inertia = sum(tube * LENGTH**2 * (k**2 + k + 1 / 3) + HUB * (k * LENGTH) ** 2 for k in outboard)
    inertia += PAYLOAD * (len(outboard) * LENGTH) ** 2
    return _two_digits(inertia * FREQUENCY**2), _two_digits(1.4 * inertia * FREQUENCY)


def _two_digits(value: float) -> float:
    return round(value, 1 - math.floor(math.log10(value)))


def _contact_and_run(arm: Starter) -> str:
    contact = """\
contact:  # walls that points of the arm strike and rest on
  restitution: 0.7  # speed after over speed before an impact; each wall may have its own
  walls:
    - {point: [0, 0], normal: [0, 1]}  # a floor: any point of it, m, and the direction away from it
    # - {circle: {center: [0, 1], radius: 3, side: inside}}
  points: all  # O1, O2, .. to the tip; or a list, also of places such as {link: 1, at: 0.5}
"""
    if not arm.falls:
        contact = "\n".join(f"# {_aligned(line)}" for line in contact.splitlines())
    return f"""
# loads:                          # forces and moments besides gravity; numbers or expressions of t
#   - {{at: tip, force: [0, "-2*step(t - 1)", 0]}}  # N along x, y, z; or moment: [..] in N m
#   - {{at: {{link: 1}}, distributed: [0, -5, 0]}}  # N/m, along a link or a part of it
{contact.strip()}
run:
  duration: {0.6 if arm.falls else 3.0}  # s
  sample: 0.0005  # s between two samples of the result; short enough to show every vibration
  method: dop853  # or radau for stiff arms, rk4 with a fixed step
  rtol: 1e-9  # relative and absolute tolerance of the integrator
  atol: 1e-11
  formulation: articulated  # or gibbs-appell; without stiffening also lagrangian, elastodynamics
"""
