"""URDF file -> yourdfpy's links and joints, after checks that know the lines of the file."""

from __future__ import annotations

import io
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flexarm.description.reading.text_file import UnreadableFile, read_text
from flexarm.errors import InputProblem, ResultError, SpecError
from flexarm.hints import did_you_mean

LARGEST_URDF = 16_000_000  # bytes
LARGEST_NUMBER = 1e9
JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")

_NUMBERS = {
    "origin": {"xyz": 3, "rpy": 3},
    "axis": {"xyz": 3},
    "mass": {"value": 1},
    "inertia": dict.fromkeys(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), 1),
    "limit": dict.fromkeys(("lower", "upper", "effort", "velocity"), 1),
    "dynamics": dict.fromkeys(("damping", "friction"), 1),
    "mimic": dict.fromkeys(("multiplier", "offset"), 1),
}
"""Element -> its attributes of numbers, and how many each has."""
_NEEDED = {"mass": ("value",), "inertia": ("ixx", "iyy", "izz")}
_USED = {"link": ("inertial",), "joint": ("parent", "child", *_NUMBERS)}
"""What is read of links and joints."""
INSTALL = "pip install 'flexarm[urdf]'"


@dataclass
class UrdfFile:
    """Links and joints of a URDF file.

    Attributes
    ----------
    source : str
        The file.
    robot : yourdfpy.urdf.Robot
    ignored : Counter
        Elements that are not used, and how many of each there are.
    lines : dict
        ("link" or "joint", name) or, of one of its elements, ("link" or "joint", name, element) -> line.
    """

    source: str
    robot: Any
    ignored: Counter[str]
    lines: dict[tuple[str, ...], int]

    def fault(self, place: tuple[str, ...], message: str, hint: str = "") -> SpecError:
        """Error at a link or joint, or at one of its elements."""
        line = self.lines.get(place, self.lines.get(place[:2]))
        return SpecError([InputProblem(self.source, line, " ".join(place), message, hint)])


def read_urdf(path: Path) -> UrdfFile:
    """Read a URDF file; neither meshes nor the network are looked at.

    Raises
    ------
    SpecError
        What is wrong with the file, and where.
    ResultError
        yourdfpy is not installed.
    """
    source = str(path)
    try:
        text = read_text(path, LARGEST_URDF, "a URDF file")
    except UnreadableFile as error:
        raise SpecError([InputProblem(source, error.line, "", error.message, error.hint)]) from None
    etree, yourdfpy = _packages()
    root = _parsed(text, source, etree)
    problems: list[InputProblem] = []
    lines: dict[tuple[str, ...], int] = {}
    ignored: Counter[str] = Counter()
    for element in root:
        kind = str(element.tag)
        if kind not in _USED:
            ignored[kind] += 1
            root.remove(element)
            continue
        name = element.get("name", "")
        if not name or (kind, name) in lines:
            message = f"got the name {name!r} twice" if name else "has no name"
            problems.append(InputProblem(source, element.sourceline, kind, message))
        lines[kind, name] = element.sourceline
        for part in element:
            if part.tag not in _USED[kind]:
                ignored[str(part.tag)] += 1
                element.remove(part)
                continue
            lines[kind, name, str(part.tag)] = part.sourceline
            for one in part.iter():
                problems += _number_problems(one, f"{kind} {name} {one.tag}", source)
    problems += _joint_problems(root, lines, source)
    if problems:
        raise SpecError(problems)
    if not any(kind == "link" for kind, *_ in lines):
        raise SpecError([InputProblem(source, root.sourceline, "", "has no links")])
    cleaned = io.BytesIO(etree.tostring(root))
    try:
        robot = yourdfpy.URDF.load(cleaned, load_meshes=False, build_scene_graph=False).robot
    except Exception as error:  # whatever a package makes of a file that passed the checks above
        message = f"cannot be read by yourdfpy: {' '.join(f'{type(error).__name__}: {error}'.split())}"
        raise SpecError([InputProblem(source, None, "", message)]) from None
    return UrdfFile(source, robot, ignored, lines)


def _packages() -> tuple[Any, Any]:
    try:
        import yourdfpy
        from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]
    except ImportError:
        raise ResultError("URDF files are read by yourdfpy, which is not installed", hint=INSTALL) from None
    return etree, yourdfpy


def _parsed(text: str, source: str, etree: Any) -> Any:
    """Root element of a URDF text, without comments."""

    def fault(line: int | None, message: str, hint: str = "") -> SpecError:
        return SpecError([InputProblem(source, line, "", message, hint)])

    for mark in ("<!DOCTYPE", "<!ENTITY"):
        if (at := text.find(mark)) >= 0:
            line = text.count("\n", 0, at) + 1
            raise fault(line, f"got {mark}, which no URDF needs", "entities are not expanded: remove it")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        hint = "a xacro file: xacro FILE > robot.urdf" if "<xacro:" in text else ""
        raise fault(error.lineno, f"not valid XML: {error.msg}", hint) from None
    for element in root:
        if "xacro" in str(element.tag):
            message = "is a xacro file, from which a URDF has to be made first"
            raise fault(element.sourceline, message, "xacro FILE > robot.urdf")
    if root.tag != "robot":
        hint = "SDF and MJCF are other formats" if root.tag in ("sdf", "mujoco") else ""
        raise fault(root.sourceline, f"got <{root.tag}>, expected <robot>: this is no URDF", hint)
    root.set("name", root.get("name", "robot"))
    return root


def _number_problems(element: Any, key: str, source: str) -> list[InputProblem]:
    found = []
    for name in _NEEDED.get(element.tag, ()):
        if element.get(name) is None:
            found.append(InputProblem(source, element.sourceline, key, f"has no {name}"))
    for name, count in _NUMBERS.get(element.tag, {}).items():
        text = element.get(name)
        if text is None or _are_numbers(text, count):
            continue
        what = "a number" if count == 1 else f"{count} numbers"
        hint = "run xacro first" if "${" in text else ""
        message = f"got {name} = {text[:60]!r}, expected {what} of at most {LARGEST_NUMBER:g}"
        found.append(InputProblem(source, element.sourceline, key, message, hint))
    return found


def _are_numbers(text: str, count: int) -> bool:
    try:
        values = [float(word) for word in text.split()]
    except ValueError:
        return False
    return len(values) == count and all(math.isfinite(v) and abs(v) <= LARGEST_NUMBER for v in values)


def _joint_problems(root: Any, lines: dict[tuple[str, ...], int], source: str) -> list[InputProblem]:
    """Types, parents and children that do not exist."""
    links = [key[1] for key in lines if key[0] == "link" and len(key) == 2]
    found = []
    for joint in root.iterfind("joint"):
        key, line = f"joint {joint.get('name', '')}", joint.sourceline
        kind = joint.get("type")
        if kind not in JOINT_TYPES:
            hint = did_you_mean(str(kind), JOINT_TYPES, f"types are {', '.join(JOINT_TYPES)}")
            found.append(InputProblem(source, line, key, f"got the type {kind!r}", hint))
        for part in ("parent", "child"):
            element = joint.find(part)
            name = None if element is None else element.get("link")
            if name is None:
                found.append(InputProblem(source, line, key, f"has no {part} link"))
            elif ("link", name) not in lines:
                hint = did_you_mean(name, links)
                at = line if element is None else element.sourceline
                found.append(InputProblem(source, at, f"{key} {part}", f"there is no link {name!r}", hint))
    return found
