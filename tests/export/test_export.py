"""Exported functions compiled and loaded again, against the equations of the package."""

import ctypes
import shutil
import subprocess

import casadi as ca
import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS

from flexarm import load_arm, motion_equations
from flexarm.export.c_source import c_files
from flexarm.export.casadi_functions import casadi_files
from flexarm.export.functions import ARGUMENTS, FUNCTIONS, exported_functions, identifier

ARMS = {
    name: load_arm(ROBOTS / f"{name}.yaml")
    for name in ("usoro_two_link", "shafei_falling_link", "spin_up_beam")
}
GCC = shutil.which("gcc")
TOLERANCE = 1e-12
STEP = 1e-6
"""Of central differences, whose error is of the order of its square and of round-off over it."""


def arguments(equations, seed=0):
    rng = np.random.default_rng(seed)
    names = {
        "theta": equations.n_theta,
        "theta_d": equations.n_dof,
        "theta_dd": equations.n_dof,
        "forces": equations.n_dof,
    }
    return {name: 0.1 * rng.normal(size=size) for name, size in names.items()}


def values(equations, given):
    """Name -> result by the package, as (rows, columns)."""
    theta, theta_d, theta_dd, forces = (given[name] for name in ("theta", "theta_d", "theta_dd", "forces"))
    return {
        "forward_dynamics": equations.forward_dynamics(theta, theta_d, forces),
        "inverse_dynamics": equations.inverse_dynamics(theta, theta_d, theta_dd),
        "mass_matrix": equations.mass_matrix(theta).ravel(order="F"),
        "tip_position": equations.points(theta)[-1],
    }


def differences(equations, given, exported):
    """Jacobian by central differences of what the package computes."""
    columns = []
    for name in exported.arguments:
        for k in range(given[name].size):
            sides = []
            for step in (STEP, -STEP):
                moved = {key: value.copy() for key, value in given.items()}
                moved[name][k] += step
                sides.append(values(equations, moved)[exported.name.removesuffix("_jacobian")])
            columns.append((sides[0] - sides[1]) / (2 * STEP))
    return np.array(columns).T


@pytest.fixture(params=thinned(ARMS))
def case(request):
    description = ARMS[request.param]
    equations = motion_equations(description)
    return description, equations, arguments(equations)


def assert_right(case, call):
    """Hold the results of call(name, arguments) -> flat array against the package."""
    _, equations, given = case
    wanted = values(equations, given)
    for exported in FUNCTIONS:
        got = call(exported.name, [given[name] for name in exported.arguments])
        if exported.name in wanted:
            expected, tolerance = wanted[exported.name], TOLERANCE
        else:
            expected, tolerance = differences(equations, given, exported).ravel(order="F"), 1e-6
        assert np.abs(got - expected).max() <= tolerance * max(1.0, np.abs(expected).max()), exported.name


@pytest.mark.skipif(GCC is None, reason="no gcc here")
def test_c_compiles_without_warnings_and_gives_the_same(case, tmp_path):
    description = case[0]
    for name, text in c_files(description, "articulated").items():
        (tmp_path / name).write_text(text)
    name = identifier(description)
    flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([GCC, "-x", "c++", *flags[1:], "-c", f"{name}.c", "-o", "arm.o"], cwd=tmp_path, check=True)
    command = [GCC, *flags, "-O1", "-shared", "-fPIC", f"{name}.c", "-o", "arm.so", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "arm.so"))
    sizes = {f.name(): f.numel_out(0) for f in exported_functions(description, "articulated").values()}

    def call(function, given):
        out = np.full(sizes[f"{name}_{function}"], np.nan)
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (*given, out)]
        getattr(library, f"{name}_{function}")(*pointers)
        return out

    assert_right(case, call)


def test_c_says_order_and_units_of_its_arguments(case):
    description, equations, _ = case
    header, source = c_files(description, "gibbs-appell").values()
    for text in (header, source):
        comment = text[: text.index("*/")]
        assert all(f"{name}: {meaning}" in comment for name, meaning in ARGUMENTS.items())
        assert all(
            f"[{k}] = {label}" in comment for k, label in enumerate(equations.coordinates.theta_labels)
        )
    assert f"_N_DOF {equations.n_dof}\n" in header
    assert "#include <math.h>" in source
    assert "malloc" not in source


def test_casadi_loads_what_was_saved(case, tmp_path):
    description = case[0]
    for name, content in casadi_files(description, "articulated").items():
        (tmp_path / name).write_bytes(content)

    def call(function, given):
        f = ca.Function.load(str(tmp_path / f"{identifier(description)}_{function}.casadi"))
        return f(*given).full().ravel(order="F")

    assert_right(case, call)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("a-b.c", "a_b_c"),
        ("2-link", "arm_2_link"),
        ("x__y", "x_y"),
        ("\u00e9", "e"),
        ("Gelenk_\u00fc_2", "Gelenk_u_2"),
        ("\u81c2", "arm"),
    ],
)
def test_names_of_arms_become_identifiers(name, wanted):
    assert identifier(ARMS["usoro_two_link"].model_copy(update={"name": name})) == wanted
