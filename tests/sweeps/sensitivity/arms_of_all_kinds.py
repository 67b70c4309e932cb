"""Arms drawn at random: all types of joints, drives, sections and bases, in the plane and in space, with what rubs."""

from __future__ import annotations

import numpy as np
import yaml

MATERIAL = {"E": 7.0e10, "rho": 2700, "nu": 0.33}
SECTIONS = ("tube", "bar", "box", "tapered")


def arm_of_any_kind(seed: int) -> tuple[str, list[str]]:
    """Description of an arm, and keys of two numbers of it; a third of them meets walls or limits, or sticks.

    Walls throw the tip back so far, and runs with walls are so short, that bounces hardly die out: hundreds of them
    leave little that differences tell, and how many there are depends on the tolerances.
    """
    draw = _Draw(seed)
    return yaml.safe_dump(draw.arm, sort_keys=False), list(dict.fromkeys([draw.keys[0], draw.keys[-1]]))


class _Draw:
    """One arm; each part also says which of its numbers may be varied."""

    def __init__(self, seed: int):
        self._rng, self.seed, self.keys = np.random.default_rng(seed), seed, []
        self._in_space = seed % 5 == 4
        self._base = ("fixed", "fixed", "planar", "fixed", "free" if seed % 10 == 9 else "fixed")[seed % 5]
        n = 1 + int(self._rng.integers(0, 2))
        links = [self._link(i) for i in range(n)]
        joints, drive = zip(*(self._joint(i) for i in range(n)), strict=True)
        self.arm = {
            "name": f"any-{seed}",
            "links": links,
            "joints": list(joints),
            "payload": {"mass": self.number(0.05, 0.4)},
            "initial": {
                "joints": [self.number(-0.3, 0.3) for joint in joints if joint.get("type") != "fixed"]
            },
            "drive": list(drive),
            "run": {"duration": 0.4, "sample": 0.004},
        }
        self.keys.append("payload.mass")
        if self._base != "fixed":
            self._float()
        if self._base == "free" or self._in_space:
            self._prefer_rigid_torsion()
        if seed % 3 == 0:
            self._meet()

    def number(self, low: float, high: float) -> float:
        """Number with three digits behind the point."""
        return round(float(self._rng.uniform(low, high)), 3)

    def _link(self, i: int) -> dict:
        kind = ("rigid", "EI", *SECTIONS)[int(self._rng.integers(0, 6))]
        link: dict = {"length": self.number(0.4, 0.8)}
        if kind != "tapered" and self._rng.random() < 0.5:
            self.keys.append(f"links[{i}].length")
        if kind == "rigid":
            return link | {"mu": self.number(0.4, 1.2)}
        if kind == "EI":
            self.keys.append(f"links[{i}].EI")
            link |= {"mu": self.number(0.4, 1.2), "EI": self.number(10, 40)}
        else:
            link |= {"material": MATERIAL, "section": self._section(kind, i, link["length"])}
        family = str(self._rng.choice(["craig-bampton", "clamped-free", "polynomial"]))
        segments = 2 if self._rng.random() < 0.2 else 1
        link["modes"] = {
            "family": "craig-bampton" if segments > 1 else family,
            "count": int(self._rng.integers(1, 3)),
        }
        link["damping"] = self.number(0.01, 0.05)
        return link | ({"segments": 2} if segments > 1 else {})

    def _section(self, kind: str, i: int, length: float) -> dict:
        key = f"links[{i}].section."
        if kind == "bar":
            self.keys.append(key + "height")
            return {"shape": "rectangle", "height": 0.012, "width": 0.02}
        if kind == "box":
            self.keys.append(key + "thickness")
            return {"shape": "box", "height": 0.016, "width": 0.02, "thickness": 0.002}
        if kind == "tapered":
            self.keys.append(key + "thickness")
            return {
                "shape": "tube",
                "diameter": {"eta": [0, length], "values": [0.02, 0.014]},
                "thickness": 0.002,
            }
        self.keys.append(key + "diameter")
        return {"shape": "tube", "diameter": 0.016, "thickness": 0.0015}

    def _joint(self, i: int) -> tuple[dict, dict | None]:
        """A joint and its drive."""
        kind = ("revolute", "elastic", "prismatic", "twisted", "voltage", "prescribed", "fixed")[
            int(self._rng.integers(0, 7 if i else 6))
        ]
        joint: dict = {"friction": {"viscous": self.number(0.1, 0.4)}}
        if kind == "fixed":
            return {"type": "fixed", "angle": self.number(-0.5, 0.5)}, None
        if kind == "prescribed":
            return {}, {"motion": f"{self.number(0.1, 0.4)}*sin({self.number(3, 8)}*t)"}
        if kind == "voltage":
            joint["motor"] = {"inertia": 2e-5, "gear": 60, "resistance": 8.0, "torque_constant": 0.05}
            self.keys.append(f"joints[{i}].motor.resistance")
            return joint, {"voltage": f"{self.number(2, 8)}*cos({self.number(3, 8)}*t)"}
        if kind == "elastic":
            joint |= {"stiffness": self.number(40, 90), "motor": {"inertia": self.number(0.02, 0.1)}}
            self.keys.append(f"joints[{i}].stiffness")
        if kind == "prismatic":
            joint |= {"type": "prismatic", "axis": [self.number(-0.3, 0.3), 1, 0]}
        if kind == "twisted" and self._in_space:
            turned = {"twist": f"{self.number(-90, 90)} deg"}
            joint |= turned if self.seed % 2 else {"axis": [0.1, self.number(-0.5, 0.5), 1]}
        return joint, self._drive(i)

    def _drive(self, i: int) -> dict | None:
        kind = int(self._rng.integers(0, 5))
        if kind == 0:
            return None
        if kind == 1:
            return {"torque": f"{self.number(-3, 3)}*sin({self.number(3, 12)}*t)"}
        gains: dict = {"kp": self.number(20, 60), "kd": self.number(1, 4)}
        self.keys.append(f"drive[{i}].pd.kp")
        if kind == 2:
            return {"pd": gains | {"reference": f"{self.number(-0.4, 0.4)}*cos(4*t)"}}
        if kind == 3:
            return {
                "pd": gains | {"move": {"to": self.number(-0.5, 0.5), "duration": 0.3}},
                "gravity_compensation": True,
            }
        return {"pd": gains | {"ki": self.number(5, 20), "reference": self.number(-0.4, 0.4)}}

    def _float(self) -> None:
        if self._base == "planar":
            has_mass = self._rng.random() < 0.5 or self.arm["joints"][0].get("type") == "prismatic"
            body = {"type": "planar", "mass": self.number(3, 6), "inertia": self.number(0.5, 1.0)}
            self.arm["base"] = body if has_mass else "planar"
            self.arm["initial"]["base"] = [0.0, 0.0, 0.1] if has_mass else [0.0, 0.0]
            self.keys += ["base.mass"] if has_mass else []
            return
        self.arm["base"] = {"type": "free", "mass": self.number(3, 6), "inertia": [0.5, 0.6, 0.7]}
        self.keys.append("base.mass")

    def _prefer_rigid_torsion(self) -> None:
        """Bending across as well, of links that bend."""
        for link in self.arm["links"]:
            if "modes" in link and "segments" not in link and "EI" not in link:
                link["modes"] = [link["modes"], link["modes"] | {"direction": "z"}]

    def _lowest(self) -> float:
        """Height of the lowest point of the arm as it starts, or a little less: of turned axes, and of slides."""
        angle, height, lowest, starts = 0.0, 0.0, 0.0, iter(self.arm["initial"]["joints"])
        for link, joint in zip(self.arm["links"], self.arm["joints"], strict=True):
            at = joint["angle"] if joint.get("type") == "fixed" else next(starts)
            slides = joint.get("type") == "prismatic"
            angle += 0.0 if slides else at
            height += (at if slides else 0.0) + link["length"] * np.sin(angle)
            lowest = min(lowest, height)
        return float(lowest)

    def _meet(self) -> None:
        """Walls that rub or do not, limits, joints that stick."""
        kind = self.seed // 3 % 4
        free = [i for i, joint in enumerate(self.arm["joints"]) if "friction" in joint]
        if kind == 0 and free:
            self.arm["joints"][free[0]]["friction"] |= {"coulomb": self.number(1.0, 3.0), "smoothing": 0}
            self.keys.append(f"joints[{free[0]}].friction.coulomb")
        elif kind == 1 and free:
            at = self.arm["initial"]["joints"][free[0]]
            limits = {
                "range": [round(at - 0.08, 3), round(at + 0.08, 3)],
                "restitution": self.number(0.3, 0.8),
            }
            self.arm["joints"][free[0]]["limits"] = limits
            self.keys.append(f"joints[{free[0]}].limits.restitution")
        else:
            wall = {"point": [0, round(self._lowest() - 0.05, 3)], "normal": [self.number(-0.05, 0.05), 1]}
            self.arm["contact"] = {"restitution": self.number(0.8, 0.95), "walls": [wall]}
            self.arm["run"] = {"duration": 0.2, "sample": 0.002}
            self.keys.append("contact.restitution")
            if kind == 3:
                self.arm["contact"]["friction"] = self.number(0.1, 0.5)
                self.keys.append("contact.friction")
