"""`flexarm compare`: formulations beside each other and beside the papers' operation counts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import flexarm
from flexarm.catalogue import FORMULATIONS, capability_table
from flexarm.cli.options import FiniteRange, console_options, overwrite_option
from flexarm.cli.terminal.console import Console

if TYPE_CHECKING:
    from flexarm.codegen.counts import OperationCounts
    from flexarm.comparison.agreement import Comparison
    from flexarm.comparison.cost_scaling import CostScaling
    from flexarm.description.arm.arm import Arm

EPILOG = f"""\b
Example:
  flexarm compare robots/usoro_two_link.yaml
  flexarm compare --papers
  flexarm compare --growth --links 3 -o outputs/growth

\b
What each formulation can do:
{capability_table()}

--growth measures {len(FORMULATIONS)} formulations with 1, 2 and 3 modes on each link; a curve ends where its next point
would take longer than --budget allows, so it all takes about 4 minutes at most, and 40 with --budget 200.
"""


@click.command(epilog=EPILOG, context_settings={"max_content_width": 120})
@click.argument("arm", type=click.Path(path_type=Path), metavar="[ARM]", required=False)
@click.option("--papers", is_flag=True, help="Recompute the operation counts that the papers print.")
@click.option(
    "--growth", is_flag=True, help="Measure chains of growing length; write growth.csv and growth.png."
)
@click.option(
    "--links", type=click.IntRange(1, 60), default=20, show_default=True, help="Longest chain (--growth)."
)
@click.option(
    "--planar", is_flag=True, help="Chains in a plane; without it each joint stands across the last."
)
@click.option(
    "--budget",
    type=FiniteRange(min=0, min_open=True),
    default=20.0,
    show_default=True,
    metavar="S",
    help="Processor time for each curve (--growth).",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of --growth [default: outputs/growth].",
)
@overwrite_option
@console_options
def compare(
    arm: Path | None,
    papers: bool,
    growth: bool,
    links: int,
    planar: bool,
    budget: float,
    output: Path | None,
    overwrite: bool,
    console: Console,
) -> None:
    """Compare formulations: agreement, operations and speed.

    For random states near the initial one of ARM: the largest relative differences of mass matrix, bias and
    accelerations; the operations of one evaluation, its time once compiled, and the time of its derivation.
    """
    if sum([arm is not None, papers, growth]) != 1:
        raise click.UsageError("give one of ARM, --papers and --growth")
    if papers:
        _report_papers(console)
        _report_rigid_counts(console)
    elif growth:
        _write_cost_scaling(links, planar, budget, output or Path("outputs/growth"), overwrite, console)
    elif arm is not None:
        description = flexarm.load_arm(arm)
        from flexarm.comparison.agreement import compare as compare_formulations

        with console.progress("comparing") as progress:
            result = compare_formulations(description, progress=progress)
        _report_comparison(description, result, console)


def _report_comparison(arm: Arm, result: Comparison, console: Console) -> None:
    console.write(
        f"{arm.name}, link rotation {arm.link_rotation}: largest relative differences at random states"
    )
    rows: list[tuple[str, ...]] = [("", "", "mass matrix", "bias", "accelerations")]
    for d in result.differences:
        numbers = (f"{value:.1e}" for value in (d.mass_matrix, d.bias, d.accelerations))
        rows.append((d.first, d.second, *numbers))
    console.table(rows, "<<>>>")
    if arm.link_rotation == "small":
        console.write("with small rotations the formulations differ, ever less with smaller deflections")
    console.write(
        "\noperations of one evaluation of the accelerations, with common subexpressions computed once"
    )
    console.write("(in brackets: as derived), its time as machine code, and the time of its derivation")
    rows: list[tuple[str, ...]] = [
        ("", "products", "sums", "divisions", "sin, cos", "other", "time", "derivation")
    ]
    for c in result.costs:
        pairs = zip(_numbers(c.shared), _numbers(c.derived), strict=True)
        counts = (f"{one} ({raw})" for one, raw in pairs)
        times = f"{c.microseconds:.2f} us", f"{1e3 * c.derivation_seconds:.1f} ms"
        rows.append((c.formulation, *counts, *times))
    console.table(rows, "<>>>>>>>")
    for reason in result.left_out.values():
        console.write(f"left out: {reason}")
    bodies = tuple(link.segment_modes for link in arm.links for _ in range(link.segments))
    if all(joint.kind.is_angle for joint in arm.joints):
        _report_formulas(bodies, console)
    else:
        console.write("\npublished formulas do not apply: they are for revolute joints")


def _numbers(counts: OperationCounts) -> tuple[int, ...]:
    trigonometric = counts.trigonometric
    return counts.products, counts.sums, counts.divisions, trigonometric, counts.other - trigonometric


def _report_formulas(modes: tuple[int, ...], console: Console) -> None:
    from flexarm.comparison.published_counts import for_arm

    console.write()
    try:
        formulas = list(for_arm(modes))
    except ValueError as reason:
        console.write(f"published formulas do not apply: {reason}")
        return
    flexible = [m for m in modes if m]
    size = f"n={len(modes)}, n_f={len(flexible)}, m={flexible[0] if flexible else 0}"
    console.write(
        f"published formulas for {size}; the mass matrix is not solved with, links bend in any direction"
    )
    rows = [("", "", "products", "sums")]
    for products, sums in zip(formulas[::2], formulas[1::2], strict=True):
        rows.append((products[0].source, products[0].method, f"{products[1]:g}", f"{sums[1]:g}"))
    console.table(rows, "<<>>")
    from flexarm.comparison.rigid_counts import WALKER_ORIN as RIGID

    n = len(modes) + sum(modes)
    rigid = f"{RIGID.products(n):g} products for a rigid arm of {n} joints, the solution included"
    console.write(f"{RIGID.source} {RIGID.method}: {rigid}")


def _report_papers(console: Console) -> None:
    from flexarm.comparison.published_counts import TOTALS

    rows = [("", "", "", "case", "printed", "formula", "")]
    for total in TOTALS:
        verdict = "as printed" if total.reproduced else f"differs: {total.remark}"
        if total.meant is not None:
            verdict += f" ({total.meant}: {total.formula.count(*total.meant):g})"
        formula = total.formula
        numbers = (f"{total.printed}", f"{total.computed:g}")
        rows.append((formula.source, formula.method, formula.quantity, str(total.case), *numbers, verdict))
    console.table(rows, "<<<<>><")
    console.write("table 1 of [GA09] prints m^2 n^2 in step 10, where only m^2 n_f^2 adds up to its table 2")


def _report_rigid_counts(console: Console) -> None:
    """Rigid arms to which [BK83] compares its products, and what this package takes for them."""
    from flexarm.comparison.rigid_counts import FORMULAS, JOINTS, STATEMENTS, own_products

    console.write("\nrigid arms in the comparison of [BK83] section 6")
    rows = [("", "printed", "formulas", "")]
    for each in STATEMENTS:
        differs = "" if each.by_formula is None else f"{each.by_formula:.4g} with the formula of [BK83]"
        rows.append((each.what, f"{each.printed:g}", f"{each.computed:.4g}", differs))
    console.table(rows, "<>><")
    console.write(f"\nproducts and divisions for rigid arms of 6 and {JOINTS} joints")
    rows = [("", "", "", "6", f"{JOINTS}")]
    for one in FORMULAS:
        at_six, at_twelve = one.products(6), one.products(JOINTS)
        rows.append((one.source, one.method, one.task, f"{at_six:g}", f"{at_twelve:g}"))
    with console.progress("counting"):
        six, twelve = own_products(6), own_products(JOINTS)
    rows += [("flexarm", name, "simulation", f"{six[name]}", f"{twelve[name]}") for name in six]
    console.table(rows, "<<<>>")


def _write_cost_scaling(
    links: int, planar: bool, budget: float, folder: Path, overwrite: bool, console: Console
) -> None:
    """Measure the cost of growing chains, as a table and a picture."""
    from flexarm.comparison.cost_scaling import LINKS, as_csv, measure_cost_scaling
    from flexarm.plots.diagrams.formulation_costs import formulation_costs as draw
    from flexarm.plots.drawing.saving import save_figure
    from flexarm.results.storage.atomic_files import check_target, write_files

    table, picture = folder / "growth.csv", folder / "growth.png"
    for path in (table, picture):
        check_target(path, overwrite)
    lengths = sorted({n for n in LINKS if n <= links} | {links})
    with console.progress("measuring") as progress:
        measured = measure_cost_scaling(lengths, budget=budget, spatial=not planar, progress=progress)
    write_files({table: as_csv(measured)}, overwrite)
    save_figure(draw(measured), picture, overwrite)
    _report_cost_scaling(measured, console)
    console.write(f"{table}\n{picture}")


def _report_cost_scaling(measured: CostScaling, console: Console) -> None:
    for (name, m), n in measured.ended.items():
        console.write(f"{name}, m={m}: ends at {n} links, the time was up (--budget)")
