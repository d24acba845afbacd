"""Instruction codes of compiled expressions of time.

They are interpreted both in NumPy and in the compiled kernels, whose cache keys therefore depend on this
file.
"""

MAX_STACK_DEPTH = 12
"""Largest number of values on the evaluation stack. Kernels reserve a stack of this size."""

NUMBER, TIME, NEGATIVE, SIN, COS, EXP, SQRT, ABS, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, MIN, MAX = range(15)
"""Instruction codes.

Codes up to `TIME` push a value on the stack, codes from `NEGATIVE` to `ABS` replace the top value, and all
later codes replace the top two values by one.
"""
