"""An arm for other programs: its equations as C99 source or serialised CasADi functions, its motion as a step in C."""
