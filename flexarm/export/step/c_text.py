"""C text around the generated functions of an exported step; @ stands for the arm's name, [..] for what is put in."""

from __future__ import annotations

HEAD = """\
#include <float.h>
#include <math.h>

enum { @_N_STATES = [N], @_N_INPUTS = [INPUTS], @_N_OUTPUTS = [OUTPUTS], @_N_SUBSTEPS = [SUBSTEPS] };
#define @_PERIOD [PERIOD] /* s */

/* Numbers of the description that are open. */
typedef struct {
[FIELDS]
} @_parameters;
#define @_DEFAULTS [DEFAULTS] /* what the description has: @_parameters p = @_DEFAULTS; */

typedef struct {
  double y[@_N_STATES];
  unsigned long long substep; /* number of substeps since the start */
} @_state;

void @_init(const @_parameters *p, @_state *state);
int @_step(const @_parameters *p, @_state *state, const double *u, double *outputs);
void @_outputs(const @_parameters *p, const @_state *state, const double *u, double *outputs);
double @_time(const @_state *state);
"""

TABLE = """\
/* Value and rate of a piecewise polynomial, constant outside its breaks; coefficients power by power, highest first. */
static double @_polynomial(double t, int pieces, int powers, const double *breaks, const double *c, double *rate) {
  int low = 0, high = pieces - 1, k;
  double x, value = 0.0, slope = 0.0;
  const double within = t < breaks[0] ? breaks[0] : t > breaks[pieces] ? breaks[pieces] : t;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (breaks[middle] <= within) low = middle;
    else high = middle - 1;
  }
  x = within - breaks[low];
  for (k = 0; k < powers; ++k) {
    slope = slope * x + value;
    value = value * x + c[k * pieces + low];
  }
  *rate = within < t || within > t ? 0.0 : slope;
  return value;
}
"""

SIGNALS = """\
/* Values s and rates s_d of the tables of the description at time t. */
static void @_signals(double t, double *s, double *s_d) {
[TABLES]
}
"""

INSTANTS = """\
/* What sensors measure and controllers compute at the end of a substep, if it is an instant of any of them. */
static void @_instant(const @_parameters *p, @_state *state, const double *u, double at_start) {
  static const unsigned long long instants[[CLOCKS]][2] = {[INSTANTS]}; /* period and offset in substeps */
  const double t = @_time(state);
  double e[[CLOCKS] + 1], after[@_N_STATES];
  int fires = at_start > 0.0, i;
  for (i = 0; i < [CLOCKS]; ++i) {
    const int now =
        state->substep >= instants[i][1] && (state->substep - instants[i][1]) % instants[i][0] == 0;
    e[i] = now ? 1.0 : 0.0;
    fires = fires || now;
  }
  if (!fires) return;
  e[[CLOCKS]] = at_start;
  @_update(p, t + @_margin(t), state->y, u, e, after);
  for (i = 0; i < @_N_STATES; ++i) state->y[i] = after[i];
}
"""

MARGIN = """\
#define @_SUBSTEP [SUBSTEP] /* s */

/* Time since the start [s]. */
double @_time(const @_state *state) { return (double)state->substep * @_SUBSTEP; }

/* Distance from the ends of a substep at which signals are read, so that none is seen beyond its jump there. */
static double @_margin(double t) { return 1e-9 * @_SUBSTEP + 4.0 * DBL_EPSILON * t; }
"""

PUBLIC = """\
/* Put the arm where the description starts it. */
void @_init(const @_parameters *p, @_state *state) {
  static const double start[@_N_STATES] = {[START]};
  int i;
  (void)p;
  for (i = 0; i < @_N_STATES; ++i) state->y[i] = start[i];
  state->substep = 0;
[UPDATE_AT_START]}

/* Outputs at this moment, under inputs u. */
void @_outputs(const @_parameters *p, const @_state *state, const double *u, double *outputs) {
  const double t = @_time(state);
  @_read(p, t + @_margin(t), state->y, u, outputs);
}

/* Move on by a period, for which inputs u are held, and give the outputs at its end, while these still act.
   Returns 0, or 1 if the state is no longer finite. */
int @_step(const @_parameters *p, @_state *state, const double *u, double *outputs) {
  double sum = 0.0;
  int i, k;
  for (k = 0; k < @_N_SUBSTEPS; ++k) {
    const double t = @_time(state);
    @_advance(p, t, @_SUBSTEP, @_margin(t), u, state->y);
    ++state->substep;
[UPDATE]  }
  @_outputs(p, state, u, outputs);
  for (i = 0; i < @_N_STATES; ++i) sum += fabs(state->y[i]);
  return sum <= DBL_MAX ? 0 : 1;
}
"""
UPDATE = "    @_instant(p, state, u, 0.0);\n"
UPDATE_AT_START = """\
  {
    const double none[@_N_INPUTS + 1] = {0.0};
    @_instant(p, state, none, 1.0);
  }
"""
