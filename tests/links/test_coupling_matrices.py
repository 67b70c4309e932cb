"""Links given by the coupling matrices of [BK83]: the motion that shapes give, the modes of a finite-element beam."""

import copy
import json
import runpy

import numpy as np
import published_beams
import pytest
from breadth import thinned
from matrices_of_beams import BeamElements, matrices_of_family
from paths import ROBOTS
from scipy.linalg import eigh

import flexarm
from flexarm.analysis.checks.check_tables import matrices_notes
from flexarm.catalogue import FORMULATIONS
from flexarm.closed_form.closed_form import closed_form
from flexarm.description import load_arm, load_trajectory, parse_arm
from flexarm.errors import FlexarmError, SpecError
from flexarm.links import flexible_link

SAME_MOTION = 1e-10
"""Largest difference, relative to its size, of a coordinate that both descriptions give: what the issue asks."""

COMPARED = (
    "joint_angle",
    "joint_velocity",
    "mode_amplitude",
    "point_position",
    "energy_kinetic",
    "energy_gravity",
    "energy_strain",
)


def by_shapes(taper):
    """Two links in space that bend both ways and stretch, with hubs and a payload of some size."""
    first = {
        "length": 0.8,
        "mu": {"eta": [0.0, 0.8], "values": [2.0, 2.0 - taper]},
        "EI": {
            "y": {"eta": [0.0, 0.8], "values": [300.0, 300.0 - 100 * taper]},
            "z": {"eta": [0.0, 0.8], "values": [500.0, 500.0 - 100 * taper]},
        },
        "EA": {"eta": [0.0, 0.8], "values": [2.0e4, 2.0e4]},
        "modes": [
            {"family": "clamped-free", "count": 2},
            {"family": "clamped-free", "count": 1, "direction": "z"},
            {"family": "fixed-free", "count": 1, "direction": "axial"},
        ],
        "damping": 0.02,
    }
    second = {
        "length": 0.6,
        "mu": 1.0,
        "EI": 90.0,
        "modes": {"family": "clamped-free", "count": 2},
    }
    return {
        "name": "by-shapes",
        "gravity": [0.3, -9.81, 1.0],
        "geometric_stiffening": False,
        "links": [first, second],
        "joints": [
            {"twist": "30 deg", "mass": 0.2, "inertia": [0.01, 0.02, 0.03], "friction": {"viscous": 0.1}},
            {"twist": "-50 deg", "offset": 0.05, "mass": 0.3, "inertia": 0.05},
        ],
        "payload": {"mass": 0.5, "inertia": [0.001, 0.002, 0.003, 0, 0, 0], "offset": [0.02, 0.01, 0.0]},
        "initial": {
            "joints": ["20 deg", "-35 deg"],
            "joint_rates": [1.0, -2.0],
            "modes": [2e-3, 1e-4, 1e-3, 1e-6, 1e-3, -1e-4],
        },
        "run": {"duration": 0.2, "sample": 0.02, "rtol": 3e-13, "atol": 1e-14},
    }


def by_matrices(taper):
    """The same arm, its links given by matrices that quadrature has found."""
    arm = by_shapes(taper)
    bent = [("clamped-free", "y", 1), ("clamped-free", "y", 2)]
    first = matrices_of_family(
        0.8,
        lambda xi: 2.0 - taper * xi,
        {
            "y": lambda xi: 300.0 - 100 * taper * xi,
            "z": lambda xi: 500.0 - 100 * taper * xi,
            "axial": lambda xi: 2.0e4 + 0 * xi,
        },
        [*bent, ("clamped-free", "z", 1), ("fixed-free", "axial", 1)],
    )
    second = matrices_of_family(0.6, np.ones_like, {"y": lambda xi: 90.0 + 0 * xi}, bent)
    arm["links"] = [{"length": 0.8, "matrices": first, "damping": 0.02}, {"length": 0.6, "matrices": second}]
    return arm


def read(description):
    return parse_arm(json.dumps(description))


@pytest.mark.slow
@pytest.mark.parametrize("formulation", thinned(FORMULATIONS, every=len(FORMULATIONS)))
def test_the_motion_is_that_of_the_shapes_whose_integrals_the_matrices_are(formulation, tmp_path):
    paths = []
    for describe in (by_shapes, by_matrices):
        description = describe(taper=0.8)
        description["run"]["formulation"] = formulation
        paths.append(tmp_path / f"{describe.__name__}.h5")
        flexarm.simulate(read(description), output=paths[-1])
    shapes, matrices = map(flexarm.open_result, paths)
    for name in COMPARED:
        a, b = shapes[name][:], matrices[name][:]
        np.testing.assert_allclose(b, a, rtol=0, atol=SAME_MOTION * np.abs(a).max(), err_msg=name)


def beam(matrices, **more):
    """Arm of one link of 1.2 m given by matrices, without gravity."""
    return {
        "name": "beam",
        "gravity": [0, 0, 0],
        "geometric_stiffening": False,
        "links": [{"length": 1.2, "matrices": matrices}],
        **more,
    }


def frequencies(description, joints):
    modes = flexarm.natural_modes(read(description), joints=joints).modes
    return 2 * np.pi * modes.natural_frequency[modes.n_rigid :]


LENGTH, MU, EI = 1.2, 1.5, 200.0
UNIT = np.sqrt(EI / (MU * LENGTH**4))  # rad/s


def test_clamped_modes_of_finite_elements_have_the_frequencies_of_the_beam_to_their_discretisation_error():
    exact = UNIT * np.array([float(published_beams.root("clamped-free", k)) ** 2 for k in (1, 2, 3)])
    errors = []
    for n in (8, 16):
        elements = BeamElements(LENGTH, MU, EI, n)
        found = frequencies(beam(elements.matrices(elements.clamped_modes(3))), "locked")
        errors.append(found / exact - 1)
        # cubic elements: w^2 is too large by (b h)^4 / 720, b the wave number of the mode
        expected = exact / UNIT / n**2
        np.testing.assert_allclose(errors[-1], expected**2 / 1440, rtol=0.1)
    np.testing.assert_allclose(errors[0] / errors[1], 16, rtol=0.05)


def test_craig_bampton_modes_of_finite_elements_swing_like_the_beam_on_a_free_joint():
    elements = BeamElements(LENGTH, MU, EI, 24)
    found = frequencies(beam(elements.matrices(elements.craig_bampton(14))), "free")[:2]
    exact = UNIT * np.array([3.926602312047919, 7.068582745628732]) ** 2  # tan b = tanh b
    np.testing.assert_allclose(found, exact, rtol=1e-4)


def test_a_tip_mass_joins_the_matrices():
    elements = BeamElements(LENGTH, MU, EI, 24)
    payload = {"mass": 5.0, "inertia": [0, 0, 0.3, 0, 0, 0], "offset": [0.05, 0, 0]}
    matrices = elements.matrices(elements.craig_bampton(3))
    by_link = {"length": LENGTH, "mu": MU, "EI": EI, "modes": 5}
    found = frequencies(beam(matrices, payload=payload), "locked")
    expected = frequencies(beam(None, payload=payload) | {"links": [by_link]}, "locked")
    np.testing.assert_allclose(found[:3], expected[:3], rtol=1e-4)


def test_damping_is_a_ratio_of_the_modes_or_a_matrix():
    elements = BeamElements(LENGTH, MU, EI, 12)
    matrices = elements.matrices(elements.clamped_modes(2))
    arm = beam(matrices)
    arm["links"][0]["damping"] = 0.03
    by_ratio = flexarm.natural_modes(read(arm), joints="locked").modes
    np.testing.assert_allclose(by_ratio.damping_ratio, 0.03)
    # modes with unit inertia: 2 zeta w
    matrices["D"] = np.diag(2 * 0.03 * by_ratio.natural_frequency * 2 * np.pi).tolist()
    by_matrix = flexarm.natural_modes(read(beam(matrices)), joints="locked").modes
    np.testing.assert_allclose(by_matrix.damping_ratio, 0.03, rtol=1e-9)


def test_between_its_stations_the_link_is_drawn_as_cubics_and_at_them_as_given():
    elements = BeamElements(LENGTH, MU, EI, 12)
    modes = elements.clamped_modes(2)
    coarse = elements.matrices(modes)
    fine = copy.deepcopy(coarse)
    fine["stations"] = elements.stations(modes, range(13))
    results = []
    for matrices in (coarse, fine):
        arm = beam(matrices, initial={"modes": [0.05, 0.0]}, run={"duration": 0.01, "sample": 0.01})
        results.append(flexarm.simulate(read(arm)))
    a, b = (result["link_deflection"][0, 0, :, 1] for result in results)
    np.testing.assert_allclose(b, 0.05 * modes[[12, 24], 0])  # recorded: middle and end
    np.testing.assert_allclose(a[-1], b[-1])
    assert 0 < np.abs(a - b).max() < 0.02 * np.abs(b).max()  # one cubic for the first mode of a cantilever


def test_a_load_acts_at_a_station_and_bends_the_link_as_statics_say():
    elements = BeamElements(LENGTH, MU, EI, 12)
    modes = elements.craig_bampton(2)
    matrices = elements.matrices(modes)
    matrices["stations"] = elements.stations(modes, (4, 12))
    arm = beam(
        matrices,
        joints=[{"type": "fixed"}],
        loads=[{"at": {"link": 1, "at": 1 / 3}, "force": [0, 2.0, 0]}],
        initial={"equilibrium": True},
        run={"duration": 0.001, "sample": 0.001},
    )
    tip = flexarm.simulate(read(arm))["point_position"][0, -1, 1]
    a = LENGTH / 3
    np.testing.assert_allclose(tip, 2.0 * a**2 * (3 * LENGTH - a) / (6 * EI), rtol=1e-3)


def test_a_file_of_matrices_is_read_and_kept_in_the_result(tmp_path):
    elements = BeamElements(LENGTH, MU, EI, 6)
    matrices = elements.matrices(elements.clamped_modes(1))
    (tmp_path / "beam.json").write_text(json.dumps(matrices))
    (tmp_path / "beam.yaml").write_text(json.dumps(beam("beam.json")))
    arm = load_arm(tmp_path / "beam.yaml")
    assert arm == read(beam(matrices))
    (tmp_path / "beam.json").unlink()
    assert parse_arm(arm.text) == arm
    assert arm.links[0].mass == pytest.approx(MU * LENGTH)


def test_a_rigid_link_in_its_place_has_its_mass_and_inertia():
    elements = BeamElements(LENGTH, MU, EI, 6)
    rigid = read(beam(elements.matrices(elements.clamped_modes(2)))).links[0].rigid()
    assert rigid.n_modes == 0
    integrals = flexible_link(rigid).integrals
    np.testing.assert_allclose(integrals.C5[2, 2], MU * LENGTH**3 / 3)


# -- messages ----------------------------------------------------------------------------------------------------------


def good():
    elements = BeamElements(LENGTH, MU, EI, 6)
    return elements.matrices(elements.clamped_modes(2))


def change(*path, value):
    def changed(matrices):
        part = matrices
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = value(part[path[-1]]) if callable(value) else value

    return changed


def flipped(matrix):
    return np.transpose(matrix).tolist()


BAD = [
    (change("C", value=lambda C: C[:3]), "C: got 3 x 4 numbers, expected 4 x 4"),
    (change("C_k", value=[]), "got 0 matrices, expected 1 to 20, one for each mode"),
    (change("C_k", 1, value=[[0.0]]), "C_k[1]: got 1 x 1 numbers, expected 4 x 4"),
    (change("C_kl", value=lambda C: C[:1]), "C_kl: got 1 x 2 matrices, expected 2 x 2 as C_k has 2"),
    (change("K", value=lambda K: [K[0]]), "K: got 1 x 2 numbers, expected 2 x 2"),
    (
        change("K", 0, 1, value=1e9),
        "K: entries that mirror one another differ by 1e+09, expected a symmetric matrix",
    ),
    (change("K", 0, 0, value=-1.0), "K: its least eigenvalue is -1, expected a stiffness, positive definite"),
    (
        change("D", value=[[1.0, 3.0], [3.0, 1.0]]),
        "D: its least eigenvalue is -2, expected damping, nowhere negative",
    ),
    (change("C", 0, 0, value=0.0), "C[0][0]: got 0.0, expected half the mass of the link, > 0"),
    (change("C", 0, 1, value=9.0), "C: entries that mirror one another differ by 8.46"),
    (
        change("C_k", 0, value=flipped),
        "first column is not zero, as the first entry of p_k is (it is 1/2 int p_0 p_k^T",
    ),
    (change("C_kl", 0, 0, 0, 0, value=1.0), "C_kl: first rows and columns are not all zero"),
    (
        change("C_kl", 0, 1, 2, 2, value=0.3),
        "C_kl: entries that mirror one another differ by 0.3, expected C_kl = C_lk^T",
    ),
    (change("C_kl", 0, 0, 2, 2, value=0.0), "C_kl[0][0]: mode without inertia"),
    (change("C_k", 0, 0, 2, value=4.0), "are no integrals over one distribution of mass"),
    (change("stations", value=[]), "stations: missing (the end of the link at least"),
    (
        change("stations", 0, "eta", value=0.9),
        "its last station is at 0.9 m, expected the end of the link at 1.2 m",
    ),
    (
        change("stations", 0, "rotation", value=[[0.0, 0.0, 1.0]]),
        "rotation: got 1 x 3 numbers, expected 2 x 3",
    ),
    (
        change("stations", value=lambda s: s + s),
        "stations[1].eta: got 1.2 after 1.2, expected increasing distances",
    ),
    (
        change("stations", value=lambda s: [{**s[0], "eta": 0.0}, s[0]]),
        "stations[0].displacement: the start of the link moves",
    ),
    (change("K", 0, 0, value="stiff"), "K[0][0]: got 'stiff', expected a number"),
    (change("K", 0, 0, value=1e300), "K[0][0]: got 1e+300, expected a number <= 1e+18"),
    (change("Q", value=1.0), "Q: unknown key"),
]


@pytest.mark.parametrize(("spoil", "expected"), BAD, ids=[message[:40] for _, message in BAD])
def test_what_is_wrong_with_matrices_is_told_with_key_and_remedy(spoil, expected, tmp_path):
    matrices = good()
    matrices["Q" if "Q:" in expected else "C"] = matrices["C"]
    spoil(matrices)
    with pytest.raises(SpecError) as inline:
        read(beam(matrices))
    assert expected in str(inline.value)
    (tmp_path / "m.json").write_text(json.dumps(matrices, indent=1))
    (tmp_path / "arm.yaml").write_text(json.dumps(beam("m.json")))
    with pytest.raises(SpecError) as in_file:
        load_arm(tmp_path / "arm.yaml")
    assert expected in str(in_file.value)
    where = "arm.yaml" if "last station" in expected else "m.json"
    assert where in str(in_file.value).splitlines()[0]


def test_what_matrices_do_not_say_is_refused():
    for more, expected in (
        (
            {"geometric_stiffening": True},
            "do not say how the bent link shortens (write geometric_stiffening: false",
        ),
        (
            {"loads": [{"at": {"link": 1, "at": 0.5}}]},
            "got 0.6 m along link 1, whose matrices give its motion at 1.2 m",
        ),
        (
            {
                "contact": {
                    "walls": [{"point": [0, -1], "normal": [0, 1]}],
                    "points": [{"link": 1, "at": 0.5}],
                }
            },
            "contact.points[0]: got 0.6 m along link 1",
        ),
    ):
        with pytest.raises(SpecError) as error:
            read(beam(good(), **more))
        assert expected in str(error.value)
    for name, value in (("mu", 1.0), ("modes", 2), ("segments", 2), ("EI", 3.0)):
        arm = beam(good())
        arm["links"][0][name] = value
        with pytest.raises(SpecError, match=f"got {name} besides matrices, which already say it"):
            read(arm)
    with pytest.raises(FlexarmError, match="of whose numbers a closed form could not be read"):
        closed_form(read(beam(good())))


def test_a_file_that_is_not_there_or_no_mapping_is_told(tmp_path):
    (tmp_path / "arm.yaml").write_text(json.dumps(beam("m.json")))
    with pytest.raises(SpecError, match=r"m\.json.*no such file"):
        load_arm(tmp_path / "arm.yaml")
    (tmp_path / "m.json").write_text("[1, 2]")
    with pytest.raises(SpecError, match=r"m\.json:1.*got a list, expected keys and values"):
        load_arm(tmp_path / "arm.yaml")
    with pytest.raises(SpecError, match="has no folder to look for files in"):
        read(beam("m.json"))
    with pytest.raises(SpecError, match="expected the name of a file with matrices"):
        read(beam(3))


def test_the_shipped_boom_is_what_its_program_prints_and_vibrates_like_the_whole_lattice(capsys):
    program = ROBOTS / "matrices" / "lattice_boom.py"
    model = runpy.run_path(str(program), run_name="__main__")
    printed, kept = json.loads(capsys.readouterr().out), json.loads(program.with_suffix(".json").read_text())
    # the two modes nearly have one frequency: round-off mixes them, the more the less it is apart
    squares = eigh(model["K"][:-6, :-6], model["M"][:-6, :-6], eigvals_only=True)
    mixing = 10 * np.finfo(float).eps * squares[-1] / (squares[1] - squares[0])
    assert mixing < 1e-7
    assert printed.keys() == kept.keys()
    for name in ("C", "C_k", "C_kl", "K"):
        largest = np.abs(kept[name]).max()
        np.testing.assert_allclose(
            printed[name], kept[name], atol=mixing * largest, err_msg="print the file anew"
        )
    for one, other in zip(printed["stations"], kept["stations"], strict=True):
        for name, values in other.items():
            np.testing.assert_allclose(one[name], values, atol=mixing, err_msg="print the file anew")
    arm = load_arm(ROBOTS / "lattice_boom.yaml")
    M, payload = model["M"].copy(), arm.payload
    x, y, z = payload.offset
    moved = np.array([[1, 0, 0, 0, z, -y], [0, 1, 0, -z, 0, x], [0, 0, 1, y, -x, 0]])  # by the end plate
    M[-6:, -6:] += payload.mass * moved.T @ moved
    M[-3:, -3:] += np.diag(payload.inertia[:3])
    assert matrices_notes(arm) == [
        "link 2 is given by matrices, at 1, 2, 3, 4 m; in between it is drawn as cubics"
    ]
    lattice = np.sqrt(eigh(model["K"], M, eigvals_only=True, subset_by_index=[0, 4])) / (2 * np.pi)
    found = flexarm.natural_modes(arm, joints="locked").modes.natural_frequency[:5]
    # two modes of the boom with its plate held make up for the other ninety
    assert np.all(found > lattice)
    np.testing.assert_allclose(found, lattice, rtol=0.015)


@pytest.mark.slow
def test_inverse_runs_take_them():
    """The clamped arm of [SY94], its links by matrices, is moved by the same torques."""
    text = (ROBOTS / "korayem_1994_clamped.yaml").read_text()
    trajectory = load_trajectory(ROBOTS / "trajectories" / "korayem_1994.yaml")
    shapes = parse_arm(text)
    links = [
        matrices_of_family(
            link.length,
            lambda xi: 0.405 + 0 * xi,
            {"y": lambda xi: 2.0394 + 0 * xi},
            [("clamped-free", "y", 1)],
        )
        for link in shapes.links
    ]
    described = {
        "name": "by-matrices",
        "gravity": [0, 0, 0],
        "geometric_stiffening": False,
        "links": [{"length": 1.05, "matrices": one} for one in links],
        "initial": {"joints": list(shapes.initial.joints)},
        "run": {"duration": shapes.run.duration, "sample": shapes.run.sample},
    }
    torques = [flexarm.inverse(arm, trajectory).torque[:] for arm in (shapes, read(described))]
    np.testing.assert_allclose(torques[1], torques[0], atol=1e-8 * np.abs(torques[0]).max())
