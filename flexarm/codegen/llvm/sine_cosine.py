"""Sine and cosine of several lanes at once as LLVM assembly text, accurate to one unit in the last place.

The argument is reduced to r + r_low with |r| < 0.8 by the nearest multiple q of pi/2, whose product with pi/2 is
carried to three times the working precision [CodyWaite1980], with the round-off of the difference [Knuth1998,
section 4.2.2]; then come the polynomials of fdlibm (Sun Microsystems, 1993).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from flexarm.codegen.llvm.vector_types import by_lane_text, constant_text, value_name

MAX_ARGUMENT = 1e9
"""Larger arguments, infinities and NaN are left to libm, each lane for itself."""

# pi/2 as a sum of three numbers, each of them the nearest one to what the ones before leave.
_HALF_PI = ("0x1.921fb54442d18p+0", "0x1.1a62633145c07p-54", "-0x1.f1976b7ed8fbcp-110")
_TWO_OVER_PI = "0x1.45f306dc9c883p-1"
# Added and taken away, it rounds to the nearest integer, which the last bits of the sum show.
_ROUND = 1.5 * 2.0**52

# sin r = r + S_0 r^3 + S_1 r^5 .., cos r = 1 - r^2/2 + C_0 r^4 + C_1 r^6 ..
_SINE = (-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
         2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10)  # fmt: skip
_COSINE = (4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
           -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11)  # fmt: skip

# V, N, B are the types of values, integers and conditions in all lanes.
_REDUCTION = """
declare V @llvm.fma.SUFFIX(V, V, V) #0
define internal { V, V } @sin_cos(V %x) #0 {
entry:
  %scaled = fmul V %x, TWO_OVER_PI
  %shifted = fadd V %scaled, ROUND
  %q = fsub V %shifted, ROUND
  %quadrant = bitcast V %shifted to N
  %minus_q = fneg V %q
  %r_0 = call V @llvm.fma.SUFFIX(V %minus_q, V HALF_PI_0, V %x)
  %p = fmul V %q, HALF_PI_1
  %minus_p = fneg V %p
  %p_low = call V @llvm.fma.SUFFIX(V %q, V HALF_PI_1, V %minus_p)
  %r = fsub V %r_0, %p
  %minus_p_part = fsub V %r, %r_0
  %r_part = fsub V %r, %minus_p_part
  %r_error = fsub V %r_0, %r_part
  %p_error = fadd V %p, %minus_p_part
  %error = fsub V %r_error, %p_error
  %low = fsub V %error, %p_low
  %r_low = call V @llvm.fma.SUFFIX(V %minus_q, V HALF_PI_2, V %low)
  %z = fmul V %r, %r
"""

# sin(r + r_low) and cos(r + r_low) to first order in r_low, the large terms added last
_VALUES = """
  %cube = fmul V %z, %r
  %half_low = fmul V %r_low, HALF
  %tail = fmul contract V %cube, %s1
  %tail_low = fsub contract V %half_low, %tail
  %tail_z = fmul contract V %z, %tail_low
  %tail_sum = fsub contract V %r_low, %tail_z
  %third = fmul contract V %cube, S_0
  %sine_rest = fadd contract V %third, %tail_sum
  %sine = fadd V %r, %sine_rest
  %half_z = fmul V %z, HALF
  %near = fsub V ONE, %half_z
  %near_back = fsub V ONE, %near
  %near_lost = fsub V %near_back, %half_z
  %fourth_z = fmul contract V %z, %c0
  %fourth = fmul contract V %z, %fourth_z
  %cross = fmul contract V %r, %r_low
  %fourth_low = fsub contract V %fourth, %cross
  %cosine_rest = fadd V %near_lost, %fourth_low
  %cosine = fadd V %near, %cosine_rest
"""

_QUADRANTS = """
  %odd_bit = and N %quadrant, INTEGER_1
  %odd = icmp ne N %odd_bit, zeroinitializer
  %next = add N %quadrant, INTEGER_1
  %sin_half = and N %quadrant, INTEGER_2
  %cos_half = and N %next, INTEGER_2
  %sin_sign = shl N %sin_half, INTEGER_62
  %cos_sign = shl N %cos_half, INTEGER_62
  %sin_size = select B %odd, V %cosine, V %sine
  %cos_size = select B %odd, V %sine, V %cosine
  %sin_bits = bitcast V %sin_size to N
  %cos_bits = bitcast V %cos_size to N
  %sin_turned = xor N %sin_bits, %sin_sign
  %cos_turned = xor N %cos_bits, %cos_sign
  %sin_near = bitcast N %sin_turned to V
  %cos_near = bitcast N %cos_turned to V
  %size = call V @llvm.fabs.SUFFIX(V %x)
  %far = fcmp ugt V %size, MAX_ARGUMENT
  %far_bits = bitcast B %far to iLANES
  %all_near = icmp eq iLANES %far_bits, 0
  br i1 %all_near, label %end, label %by_lane
by_lane:
  %sin_libm = call V @lanes_sin(V %x)
  %cos_libm = call V @lanes_cos(V %x)
  %sin_far = select B %far, V %sin_libm, V %sin_near
  %cos_far = select B %far, V %cos_libm, V %cos_near
  br label %end
end:
  %sin = phi V [ %sin_near, %entry ], [ %sin_far, %by_lane ]
  %cos = phi V [ %cos_near, %entry ], [ %cos_far, %by_lane ]
  %first = insertvalue { V, V } poison, V %sin, 0
  %both = insertvalue { V, V } %first, V %cos, 1
  ret { V, V } %both
}
"""


def sin_cos_text(lanes: int) -> str:
    """Define ``{ V, V } @sin_cos(V)``, the sine and the cosine of every lane.

    It calls ``llvm.sin.f64``, ``llvm.cos.f64`` and ``llvm.fabs`` of the lanes, to be declared elsewhere.
    """

    def integers(number: int) -> str:
        return f"<{', '.join([f'i64 {number}'] * lanes)}>"

    numbers = {"TWO_OVER_PI": float.fromhex(_TWO_OVER_PI), "ROUND": _ROUND, "MAX_ARGUMENT": MAX_ARGUMENT}
    numbers |= {f"HALF_PI_{k}": float.fromhex(part) for k, part in enumerate(_HALF_PI)}
    numbers |= {"HALF": 0.5, "ONE": 1.0, "S_0": _SINE[0]}
    texts = {name: constant_text(number, lanes) for name, number in numbers.items()}
    texts |= {f"INTEGER_{k}": integers(k) for k in (1, 2, 62)}
    texts |= {"V": value_name(lanes), "N": f"<{lanes} x i64>", "B": f"<{lanes} x i1>"}
    texts |= {"SUFFIX": f"v{lanes}f64", "iLANES": f"i{lanes}"}
    text = "\n".join(
        [
            _REDUCTION,
            _nested("s", _SINE[1:], lanes, first=1),
            _nested("c", _COSINE, lanes, first=0),
            _VALUES,
            _QUADRANTS,
        ]
    )
    text = re.sub(rf"\b({'|'.join(texts)})\b", lambda match: texts[match[0]], text)
    far = (by_lane_text(f"lanes_{name}", f"llvm.{name}.f64", 1, lanes) for name in ("sin", "cos"))
    return "\n".join([*far, text])


def _nested(name: str, coefficients: Sequence[float], lanes: int, first: int) -> str:
    """A polynomial in z by nested products; the values on the way are called name_k, the last one with k = first."""
    numbers = [constant_text(number, lanes) for number in coefficients]
    lines, value = [], numbers[-1]
    for k in reversed(range(len(numbers) - 1)):
        here = f"%{name}{k + first}"
        lines.append(f"{here}_z = fmul contract V %z, {value}")
        lines.append(f"{here} = fadd contract V {numbers[k]}, {here}_z")
        value = here
    return "\n".join(lines)
