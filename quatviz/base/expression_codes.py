"""Instructions of the program of an expression of time, which NumPy and compiled kernels interpret. Kernels depend on this file."""

MAX_STACK_DEPTH = 12
"""Values that a program may hold at once: what the kernels keep of its stack."""

NUMBER, TIME, NEGATIVE, SIN, COS, EXP, SQRT, ABS, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, MIN, MAX = range(15)
"""Instructions of a program: those up to `TIME` push a value, those up to `ABS` change the last one, and the others
take two and leave one."""
