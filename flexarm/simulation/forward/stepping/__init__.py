"""Motion period by period, for controllers outside: the stepper, its arguments, and what it reads."""
