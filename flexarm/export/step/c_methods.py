"""C text of the two methods of exported steps; @ stands for the name of the arm, [..] for numbers that are put in."""

from __future__ import annotations

from flexarm.export.c_program import number_text
from flexarm.export.step import rosenbrock
from flexarm.export.step.rosenbrock import Derivatives

RK4 = """\
/* A step of length h from time t by the classical Runge-Kutta method of order 4. */
static void @_advance(const @_parameters *p, double t, double h, double margin, const double *u, double *y) {
  double k1[@_N_STATES], k2[@_N_STATES], k3[@_N_STATES], k4[@_N_STATES], stage[@_N_STATES];
  int i;
  @_rates(p, t + margin, y, u, k1);
  for (i = 0; i < @_N_STATES; ++i) stage[i] = y[i] + 0.5 * h * k1[i];
  @_rates(p, t + 0.5 * h, stage, u, k2);
  for (i = 0; i < @_N_STATES; ++i) stage[i] = y[i] + 0.5 * h * k2[i];
  @_rates(p, t + 0.5 * h, stage, u, k3);
  for (i = 0; i < @_N_STATES; ++i) stage[i] = y[i] + h * k3[i];
  @_rates(p, t + h - margin, stage, u, k4);
  for (i = 0; i < @_N_STATES; ++i) y[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
}
"""

ROSENBROCK = """\
/* Linear equations of a step: the matrix 1/(gamma h) - J without the states whose rates are states, as L and U. */
typedef struct {
  double a;             /* 1/(gamma h) */
  double J[[M] * @_N_STATES];   /* rows of d rates/d y of the states that are solved for */
  double lu[[M] * [M]];
  int pivot[[M]];
} @_equations;

static const int @_solved[[M]] = {[SOLVED]};
[SIMPLE]
static void @_factorise(@_equations *e) {
  int i, j, k;
  for (i = 0; i < [M]; ++i) {
    for (j = 0; j < [M]; ++j) e->lu[i * [M] + j] = (i == j ? e->a : 0.0) - e->J[i * @_N_STATES + @_solved[j]];
[FOLD]  }
  for (k = 0; k < [M]; ++k) {
    int best = k;
    for (i = k + 1; i < [M]; ++i) {
      if (fabs(e->lu[i * [M] + k]) > fabs(e->lu[best * [M] + k])) best = i;
    }
    e->pivot[k] = best;
    for (j = 0; j < [M] && best != k; ++j) {
      const double held = e->lu[k * [M] + j];
      e->lu[k * [M] + j] = e->lu[best * [M] + j];
      e->lu[best * [M] + j] = held;
    }
    for (i = k + 1; i < [M]; ++i) {
      const double factor = e->lu[i * [M] + k] / e->lu[k * [M] + k];
      e->lu[i * [M] + k] = factor;
      for (j = k + 1; j < [M]; ++j) e->lu[i * [M] + j] -= factor * e->lu[k * [M] + j];
    }
  }
}

/* Solve the linear equations for k; r is their right-hand side. */
static void @_solve(const @_equations *e, const double *r, double *k) {
  double x[[M]];
  int i, j;
  for (i = 0; i < [M]; ++i) {
    x[i] = r[@_solved[i]];
[FOLD_RIGHT]  }
  for (i = 0; i < [M]; ++i) {
    const double held = x[e->pivot[i]];
    x[e->pivot[i]] = x[i];
    x[i] = held;
  }
  for (i = 0; i < [M]; ++i) {
    for (j = 0; j < i; ++j) x[i] -= e->lu[i * [M] + j] * x[j];
  }
  for (i = [M] - 1; i >= 0; --i) {
    for (j = i + 1; j < [M]; ++j) x[i] -= e->lu[i * [M] + j] * x[j];
    x[i] /= e->lu[i * [M] + i];
  }
  for (i = 0; i < [M]; ++i) k[@_solved[i]] = x[i];
[UNFOLD]}

/* A step of length h from time t by RODAS3, a Rosenbrock method of order 3 that is L-stable: A. Sandu et al.,
   Benchmarking stiff ODE solvers for atmospheric chemistry problems II, Atmospheric Environment 31 (1997). */
static void @_advance(const @_parameters *p, double t, double h, double margin, const double *u, double *y) {
  @_equations e;
  double f[@_N_STATES], f_t[@_N_STATES], r[@_N_STATES], k1[@_N_STATES], k2[@_N_STATES], k3[@_N_STATES], k4[@_N_STATES];
  int i;
  @_derivatives(p, t + margin, y, u, f, e.J, f_t);
  e.a = 1.0 / ([GAMMA] * h);
  @_factorise(&e);
  for (i = 0; i < @_N_STATES; ++i) r[i] = f[i] + [T1] * h * f_t[i];
  @_solve(&e, r, k1);
  for (i = 0; i < @_N_STATES; ++i) r[i] = f[i] + [T2] * h * f_t[i] + [C21] / h * k1[i];
  @_solve(&e, r, k2);
  for (i = 0; i < @_N_STATES; ++i) y[i] += [A31] * k1[i];
  @_rates(p, t + h - margin, y, u, f);
  for (i = 0; i < @_N_STATES; ++i) r[i] = f[i] + ([C31] * k1[i] + [C32] * k2[i]) / h;
  @_solve(&e, r, k3);
  for (i = 0; i < @_N_STATES; ++i) y[i] += k3[i];
  @_rates(p, t + h - margin, y, u, f);
  for (i = 0; i < @_N_STATES; ++i) r[i] = f[i] + ([C41] * k1[i] + [C42] * k2[i] + [C43] * k3[i]) / h;
  @_solve(&e, r, k4);
  for (i = 0; i < @_N_STATES; ++i) y[i] += k4[i];
}
"""
_SIMPLE = """\
static const int @_simple[[K]][2] = {[PAIRS]}; /* state, its rate among the states or -1 */
static const int @_column[[K]] = {[COLUMNS]};  /* number of this rate among those solved for, or -1 */
"""
_FOLD = """\
    for (k = 0; k < [K]; ++k) {
      if (@_column[k] >= 0) e->lu[i * [M] + @_column[k]] -= e->J[i * @_N_STATES + @_simple[k][0]] / e->a;
    }
"""
_FOLD_RIGHT = """\
    for (j = 0; j < [K]; ++j) x[i] += e->J[i * @_N_STATES + @_simple[j][0]] * r[@_simple[j][0]] / e->a;
"""
_UNFOLD = """\
  for (i = 0; i < [K]; ++i) {
    k[@_simple[i][0]] = (r[@_simple[i][0]] + (@_simple[i][1] >= 0 ? k[@_simple[i][1]] : 0.0)) / e->a;
  }
"""


def rosenbrock_text(found: Derivatives) -> str:
    """Text of a linearly implicit step, with the numbers of states put in."""
    folds = bool(found.simple)
    pairs = ", ".join(f"{{{row}, {column}}}" for row, column in found.simple)
    columns = ", ".join(str(found.solved.index(c)) if c >= 0 else "-1" for _, c in found.simple)
    texts = {
        "[SIMPLE]": _SIMPLE if folds else "",
        "[FOLD]": _FOLD if folds else "",
        "[FOLD_RIGHT]": _FOLD_RIGHT if folds else "",
        "[UNFOLD]": _UNFOLD if folds else "",
        "[PAIRS]": pairs,
        "[COLUMNS]": columns,
        "[SOLVED]": ", ".join(map(str, found.solved)),
        "[M]": str(len(found.solved)),
        "[K]": str(len(found.simple)),
    }
    numbers = {"GAMMA": rosenbrock.GAMMA, "T1": rosenbrock.TIME_WEIGHTS[0], "T2": rosenbrock.TIME_WEIGHTS[1]}
    for letter, rows in (("A", rosenbrock.A), ("C", rosenbrock.C)):
        numbers |= {
            f"{letter}{i}{j}": value for i, row in enumerate(rows, 1) for j, value in enumerate(row, 1)
        }
    texts |= {f"[{name}]": number_text(value) for name, value in numbers.items()}
    text = ROSENBROCK
    for mark, value in texts.items():
        text = text.replace(mark, value)
    return text
