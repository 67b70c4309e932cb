"""`flexarm compare`, `equations` and `export`."""

import json
import re

import numpy as np
import pytest

from flexarm.catalogue import capability_table

TWO_LINK = """\
name: two
links:
  - {length: 1.0, mu: 1.0, EI: 50.0, modes: {family: clamped-free, count: 1}}
  - {length: 1.0, mu: 1.0, EI: 50.0, modes: {family: clamped-free, count: 2}}
"""


@pytest.fixture
def plain(folder) -> str:
    """The small arm without stiffening, which not all formulations have."""
    text = (folder / "small.yaml").read_text()
    (folder / "plain.yaml").write_text(f"geometric_stiffening: false\n{text}")
    return "plain.yaml"


def test_compare_reports_agreement_operations_and_formulas(flexarm, plain):
    done = flexarm("compare", plain)
    assert (done.exit_code, done.stderr) == (0, "")
    for name in ("articulated", "gibbs-appell", "lagrangian", "elastodynamics"):
        assert re.search(rf"{name} +\d+ \(\d+\)", done.stdout)
    assert "published formulas for n=1, n_f=1, m=1" in done.stdout


@pytest.mark.parametrize("command", [["compare"], ["equations"], ["export", "--to", "c"]])
def test_formulations_without_stiffening_say_what_to_write(flexarm, plain, command):
    line = "write geometric_stiffening: false, or use articulated or gibbs-appell"
    if command == ["compare"]:
        done = flexarm(*command, "small.yaml")
        assert done.exit_code == 0
        for name in ("lagrangian", "elastodynamics"):
            assert re.search(rf"left out: formulation {name} has no equations for .*{line}", done.stdout)
        return
    refused = flexarm(*command, "small.yaml", "--formulation", "lagrangian")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert line in refused.stderr
    assert flexarm(*command, plain, "--formulation", "lagrangian").exit_code == 0


def test_compare_reports_where_the_formulas_do_not_apply(flexarm, folder):
    (folder / "two.yaml").write_text(TWO_LINK)
    assert (
        "published formulas do not apply: flexible links have 1 and 2 modes"
        in flexarm("compare", "two.yaml").stdout
    )


@pytest.mark.slow
def test_compare_papers(flexarm):
    text = flexarm("compare", "--papers").stdout
    assert re.search(r"Walker and Orin's method 3, 12 joints +4491 +4491", text)
    assert re.search(r"^  flexarm +articulated +simulation +384 +990$", text, re.MULTILINE)
    for total in (2706, 4922, 9972, 7062, 16032, 12551):
        assert re.search(rf"  {total} +{total}  as printed", text)
    for total in (19557, 18332, 25251, 24569):
        assert re.search(rf"  {total} +\d+  differs: .*m=2: {total}\)", text)


@pytest.mark.slow
def test_compare_growth_writes_a_table_and_a_picture(flexarm, folder):
    arguments = ("compare", "--growth", "--links", "1", "-o", "g")
    (folder / "g").mkdir()
    (folder / "g" / "growth.csv").write_text("mine")
    refused = flexarm(*arguments)
    assert refused.exit_code == 4
    assert "growth.csv exists already" in refused.stderr
    done = flexarm(*arguments, "--overwrite")
    assert done.exit_code == 0, done.stderr
    assert (folder / "g" / "growth.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "g" / "growth.csv").read_text().startswith("formulation,links")


@pytest.mark.parametrize("arguments", [[], ["--papers", "--growth"], ["small.yaml", "--papers"]])
def test_compare_takes_one_thing_at_a_time(flexarm, arguments):
    done = flexarm("compare", *arguments)
    assert done.exit_code == 2
    assert "give one of ARM, --papers and --growth" in done.stderr


def test_help_of_compare_holds_the_capability_table(flexarm):
    shown = [line.split() for line in flexarm("compare", "--help").stdout.splitlines()]
    for line in capability_table().splitlines():
        assert line.split() in shown


def test_equations_on_the_screen(flexarm):
    done = flexarm("equations", "small.yaml", "-q")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "F_1 =\n" in done.stdout
    assert "0.3333*L**3*mu" in done.stdout
    assert "0.33*L**3*mu" in flexarm("equations", "small.yaml", "--digits", "2").stdout
    assert "delta" not in flexarm("equations", "small.yaml", "--rigid").stdout


def test_equations_by_every_formulation_are_the_same(flexarm, plain):
    def products(formulation):
        return set(flexarm("equations", plain, "-q", "--formulation", formulation).stdout.splitlines())

    assert products("elastodynamics") == products("lagrangian") == products("articulated")


def test_equations_in_a_file_that_is_kept(flexarm, folder):
    arguments = ("equations", "small.yaml", "--format", "python", "-o", "out/small_equations.py")
    assert flexarm(*arguments).exit_code == 0
    names = {}
    exec((folder / "out" / "small_equations.py").read_text(), names)
    assert len(names["inverse_dynamics"]([0, 0], [0, 0], [1, 0])) == 2
    refused = flexarm(*arguments)
    assert refused.exit_code == 4
    assert "--overwrite" in refused.stderr
    assert not list(folder.rglob("*.part"))


def test_equations_as_json_and_in_mass_matrix_form(flexarm):
    data = json.loads(flexarm("equations", "small.yaml", "--format", "json", "--form", "mass-matrix").stdout)
    assert [equation["name"] for equation in data["equations"]] == [
        "M[1,1]",
        "M[1,2]",
        "M[2,2]",
        "bias[1]",
        "bias[2]",
    ]


def test_equations_too_long_are_refused_with_size_and_ways_out(flexarm, robots_beside):
    done = flexarm("equations", "robots/spatial_three_link.yaml", "-o", "long.txt")
    assert done.exit_code == 2
    assert re.search(
        r"too long: .* terms, more than 20000 \(--force continues; --drop-second-order", done.stderr
    )
    assert done.stderr.count("\n") == 1
    assert not (robots_beside.parent / "long.txt").exists()


def test_equations_as_numbers_of_matrices(flexarm, robots_beside):
    """Of a rigid two-link arm, with the rows and columns named; M_X = J^-T M J^-1 where J is square."""
    text = flexarm("equations", "robots/rigid_two_link.yaml", "--form", "matrices", "--at", "0, 60 deg")
    assert text.exit_code == 0
    assert "M, inertia matrix" in text.stdout
    assert "M_X, inertia felt at the tip" in text.stdout
    done = flexarm(
        "equations",
        "robots/rigid_two_link.yaml",
        "--form",
        "matrices",
        "--at",
        "0, 60 deg",
        "--format",
        "json",
    )
    data = json.loads(done.stdout)
    values = {name: np.array(matrix["values"]) for name, matrix in data["matrices"].items()}
    M, B, C, M_X = (values[name] for name in ("M", "B", "C", "M_X"))
    L, c, s = 1.0, np.cos(np.pi / 3), np.sin(np.pi / 3)
    mu = M[1, 1] * 3 / L**3
    np.testing.assert_allclose(M, mu * L**3 * np.array([[5 / 3 + c, 1 / 3 + c / 2], [1 / 3 + c / 2, 1 / 3]]))
    np.testing.assert_allclose(B, mu * L**3 * s * np.array([[-1.0], [0.0]]), atol=1e-12)
    np.testing.assert_allclose(C, mu * L**3 * s / 2 * np.array([[0.0, -1.0], [1.0, 0.0]]), atol=1e-12)
    J = np.array([[-s, -s], [1 + c, c]])
    np.testing.assert_allclose(M_X, np.linalg.solve(J.T, M) @ np.linalg.inv(J), rtol=1e-10)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--form", "matrices", "--rigid"], "numbers of the whole equations"),
        (["--form", "matrices", "--format", "latex"], "numbers of the whole equations"),
        (["--at", "0"], "give that too"),
        (["--rigid", "--drop-second-order"], "exclude each other"),
        (["--drop-products", "--drop-second-order"], "exclude each other"),
        (["--format", "maple"], "maple"),
        (["--formulation", "elasto"], "got 'elasto'; did you mean 'elastodynamics'?"),
        (["--digits", "0"], "digits"),
    ],
)
def test_equations_refuse_wrong_usage(flexarm, arguments, complaint):
    done = flexarm("equations", "small.yaml", *arguments)
    assert done.exit_code == 2
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("target", "names"), [("c", {"small.c", "small.h"}), ("casadi", {"small.txt"})])
def test_export_writes_a_folder_and_keeps_it(flexarm, folder, target, names):
    done = flexarm("export", "small.yaml", "--to", target)
    assert (done.exit_code, done.stderr) == (0, "")
    files = {path.name: path.read_bytes() for path in (folder / "outputs" / f"small-{target}").iterdir()}
    assert names <= set(files)
    assert len(files) == (2 if target == "c" else 9)
    refused = flexarm("export", "small.yaml", "--to", target)
    assert refused.exit_code == 4
    assert "--overwrite" in refused.stderr
    assert all(
        (folder / "outputs" / f"small-{target}" / name).read_bytes() == text for name, text in files.items()
    )


def test_export_refuses_before_it_writes_anything(flexarm, folder):
    (folder / "outputs" / "small-c").mkdir(parents=True)
    (folder / "outputs" / "small-c" / "small.c").write_text("mine")
    assert flexarm("export", "small.yaml", "--to", "c").exit_code == 4
    assert [path.name for path in (folder / "outputs" / "small-c").iterdir()] == ["small.c"]


def test_export_needs_a_known_language(flexarm):
    assert "fortran" in flexarm("export", "small.yaml", "--to", "fortran").stderr
