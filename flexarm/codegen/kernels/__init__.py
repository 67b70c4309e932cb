"""Kernels: loops over arrays written in a part of Python, translated to LLVM assembly and compiled ahead of time."""
