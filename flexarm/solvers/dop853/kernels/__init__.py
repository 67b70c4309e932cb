"""The compiled part of DOP853: kernels that integrate, and what each step of theirs is made of."""
