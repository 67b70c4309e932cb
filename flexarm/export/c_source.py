"""C99 source of an arm: one header and one source file without dependencies, by CasADi's generator."""

from __future__ import annotations

import re

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.export.functions import (
    FUNCTIONS,
    ExportedFunction,
    documentation,
    exported_functions,
    identifier,
)
from flexarm.progress import grouped, stage

_HEAD = re.compile(r"^(?:static|CASADI_SYMBOL_EXPORT) [\w* ]+\((?P<parameters>[^()]+)\) ?\{", re.MULTILINE)
"""Head of a generated function."""


def c_files(arm: Arm, formulation: str) -> dict[str, str]:
    """Write an arm's functions as C.

    Parameters
    ----------
    arm : Arm
    formulation : str
        What the equations are derived by.

    Returns
    -------
    dict
        File name -> text: NAME.h and NAME.c. The functions are pure: no state, no allocation, safe in threads.
    """
    name = identifier(arm)
    functions = exported_functions(arm, formulation)
    comment = (
        "/*\n" + "".join(f" * {line}".rstrip() + "\n" for line in documentation(arm, functions)) + " */\n"
    )
    prototypes = {exported: _prototype(name, exported) for exported in FUNCTIONS}
    guard = f"{name.upper()}_H"
    header = [
        comment,
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        "",
    ]
    header += [f"#define {name.upper()}_{size} {value}" for size, value in _sizes(functions).items()]
    for exported, prototype in prototypes.items():
        rows, columns = functions[exported.name].size_out(0)
        header += ["", f"/* {exported.result} ({rows} x {columns}): {exported.meaning} */", f"{prototype};"]
    header += ["", "#ifdef __cplusplus", "}", "#endif", "", f"#endif /* {guard} */", ""]

    generator = ca.CodeGenerator(f"{name}.c", {"with_header": False})
    with stage(f"writing {grouped(sum(f.n_instructions() for f in functions.values()))} operations as C"):
        for exported in FUNCTIONS:
            generator.add(_renamed(functions[exported.name]))
        generated = _HEAD.sub(_with_all_parameters_used, generator.dump())
    source = [comment, f'#include "{name}.h"', "", generated]
    source += [f"{prototype} {{\n{_body(name, exported)}}}\n" for exported, prototype in prototypes.items()]
    return {f"{name}.h": "\n".join(header), f"{name}.c": "\n".join(source)}


def _with_all_parameters_used(head: re.Match[str]) -> str:
    """Head of a generated function, which may not need its work space, without cause for warnings."""
    names = re.findall(r"(\w+)(?:,|$)", head["parameters"])
    return head[0] + "".join(f" (void) {name};" for name in names if name != "void")


def _sizes(functions: dict[str, ca.Function]) -> dict[str, int]:
    forward = functions["forward_dynamics"]
    return {"N_THETA": forward.numel_in(0), "N_DOF": forward.numel_in(1)}


def _prototype(name: str, exported: ExportedFunction) -> str:
    arguments = [f"const double *{argument}" for argument in exported.arguments]
    return f"void {name}_{exported.name}({', '.join([*arguments, f'double *{exported.result}'])})"


def _renamed(f: ca.Function) -> ca.Function:
    """CasADi function under another name; its own is that of the plain C function."""
    arguments = f.sx_in()
    return ca.Function(f"{f.name()}_casadi", arguments, f.call(arguments), f.name_in(), f.name_out())


def _body(name: str, exported: ExportedFunction) -> str:
    """Call the generated function; made of scalar instructions, it needs no work space."""
    count = len(exported.arguments)
    return (
        f"  const double *arg[{count}];\n  double *res[1];\n"
        + "".join(f"  arg[{k}] = {argument};\n" for k, argument in enumerate(exported.arguments))
        + f"  res[0] = {exported.result};\n  {name}_{exported.name}_casadi(arg, res, 0, 0, 0);\n"
    )
