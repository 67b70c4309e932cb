"""The LLVM assembly text of a program of numbered values."""
