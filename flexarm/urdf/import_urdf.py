"""Import of a robot: the chain to the tip of a URDF as an arm."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from flexarm.arguments import check_number
from flexarm.description.arm.arm import Arm
from flexarm.description.reading.loader import parse_arm
from flexarm.errors import InputProblem, ModelError, SpecError
from flexarm.hints import did_you_mean, listed
from flexarm.urdf.description_text import description_text, limits_of, one_line
from flexarm.urdf.flexible_links import Beam, beam_of
from flexarm.urdf.kinematic_tree import KinematicTree
from flexarm.urdf.serial_chain import ChainLink, SerialChain, chain_to
from flexarm.urdf.urdf_file import UrdfFile, read_urdf

NAMED = 8
"""Names of a list that a remark shows."""


@dataclass(frozen=True)
class ImportedArm:
    """Arm that was read from a URDF file.

    Attributes
    ----------
    text : str
        Its description, YAML with comments.
    remarks : tuple of str
        What was decided on the way, and what the file holds that an arm does not use.
    """

    text: str
    remarks: tuple[str, ...]

    @property
    def arm(self) -> Arm:
        """The arm that the text describes."""
        return parse_arm(self.text, source="imported arm")


def import_urdf(
    path: str | Path,
    *,
    tip: str | None = None,
    flexible: str | Sequence[str] = (),
    EI: float | tuple[float, float] | None = None,
    material: Mapping[str, Any] | str | None = None,
    section: Mapping[str, Any] | str | None = None,
) -> ImportedArm:
    """Read the chain from the root to a tip of a URDF file as an arm.

    Parameters
    ----------
    path : str or Path
    tip : str, optional
        Link at whose frame the arm ends; that to which most joints lead unless given.
    flexible : str or sequence of str
        Links that bend, along the line from their joint to the next one.
    EI : float or (2,) [N m^2], optional
        Bending stiffness of each of them, or those against deflection along its y and z axis.
    material, section : mapping or str, optional
        Instead of `EI`, as in a description.

    Raises
    ------
    SpecError
        What is wrong, and where.
    ModelError
        A flexible link without its stiffness, or a stiffness without a flexible link.
    ResultError
        The package that reads URDF files is not installed.

    Notes
    -----
    Joints beside the chain are held at zero. The mass of a flexible link is spread evenly over its length;
    what it carries by fixed joints is a rigid body at its end.

    Examples
    --------
    >>> import flexarm
    >>> imported = flexarm.import_urdf("robots/urdf/slide_arm.urdf")
    >>> flexarm.parse_arm(imported.text)
    Arm 'slide_arm': 4 links, 0 modes, base fixed, 1 s
    """
    file = read_urdf(Path(path))
    tree = KinematicTree(file)
    usual, ends = tree.usual_tip()
    chain = chain_to(tree, usual if tip is None else tip)
    _check_stiffness(EI)
    names = [flexible] if isinstance(flexible, str) else list(flexible)
    beams: dict[str, Beam] = {}
    for name in names:
        link = _carrier(name, chain, file.source)
        if link.name in beams:
            message = f"{name} and {beams[link.name].name} are one link, which is flexible already"
            raise SpecError([InputProblem(file.source, None, "", message)])
        beams[link.name] = beam_of(link, name, file.source, EI=EI, material=material, section=section)
    if not names and not (EI is None and material is None and section is None):
        raise ModelError(
            "EI, material and section are those of flexible links, of which there is none",
            hint="`flexible` names one",
        )
    others = [end for end in ends if end != usual] if tip is None else []
    remarks = tuple(map(one_line, (*_chain_remarks(chain, others), *_unused(file, chain))))
    text = description_text(file.robot.name, os.path.basename(file.source), chain, beams, remarks)
    try:
        parse_arm(text)
    except SpecError as error:  # such as a size out of all proportion; lines are those of the new text
        raise SpecError([replace(one, source=file.source, line=None) for one in error.problems]) from None
    return ImportedArm(text, remarks)


def _check_stiffness(EI: object) -> None:
    values = EI if isinstance(EI, tuple | list) else (EI,)
    if len(values) not in (1, 2):
        raise ModelError(f"EI: got {len(values)} numbers, expected one, or those along y and z")
    for value in () if EI is None else values:
        check_number("EI", value, above=0)


def _carrier(name: str, chain: SerialChain, source: str) -> ChainLink:
    """Link of the chain of which a link of the URDF is a part."""
    for link in chain.links:
        if name in link.parts:
            return link
    if name in chain.on_base:
        message = f"link {name} cannot be flexible: it belongs to the base"
        raise SpecError([InputProblem(source, None, "", message)])
    known = [link.name for link in chain.links]
    hint = did_you_mean(name, known, f"links of the chain are {', '.join(known)}")
    raise SpecError([InputProblem(source, None, "", f"no link {name!r} moves with the chain", hint)])


def _some(names: Sequence[str]) -> str:
    if len(names) <= NAMED:
        return listed(names).replace(" or ", " and ")
    return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more"


def _chain_remarks(chain: SerialChain, others: Sequence[str]) -> list[str]:
    count = len(chain.links)
    remarks = [f"{count} joint{'s' * (count > 1)} from {chain.root} to {chain.tip}"]
    if others:
        remarks[0] += f"; as many lead to {_some(others)}"
    if chain.frozen:
        many = len(chain.frozen) > 1
        joints = f"joint{'s' * many} {_some(chain.frozen)}"
        remarks.append(f"held at zero, since {'they are' if many else 'it is'} beside the chain: {joints}")
    for link in chain.links:
        low, high = limits_of(link) or (0.0, 0.0)
        if not low <= 0 <= high:
            remarks.append(f"joint {link.joint.name} starts in the middle of its range, which leaves 0 out")
        limit = link.joint.limit
        if (
            link.joint.type != "continuous"
            and limit
            and limit.lower is not None
            and limit.lower == limit.upper
        ):
            remarks.append(
                f"joint {link.joint.name} has no limits here, since lower and upper are both {limit.lower:g}"
            )
    return remarks


def _unused(file: UrdfFile, chain: SerialChain) -> list[str]:
    """What the file holds that an arm does not use."""
    found = [f"{count} {name}" for name, count in sorted(file.ignored.items())]
    if velocities := [link for link in chain.links if link.joint.limit and link.joint.limit.velocity]:
        found.append(f"{len(velocities)} limits of velocity")
    if mimics := [joint for joint in file.robot.joints if joint.mimic is not None]:
        found.append(f"{len(mimics)} mimic")
    return [f"not used: {', '.join(found)}"] if found else []
