"""The equations of an arm for other programs: C99 source and serialised CasADi functions."""
