"""Layout of the rows of numbers that describe rotors with integrated momentum to kernels."""

AXIS = 0
"""First of the three columns of the unit axis."""
INVERSE_INERTIA, FRICTION, FRICTION_PER_INERTIA = 3, 4, 5
"""Columns of 1/I [1/(kg m^2)], c [N m s] and c/I [1/s]."""
TORQUE, PROGRAM_START, PROGRAM_STOP = 6, 7, 8
"""Columns: motor torque [N m]; first program row of its torque expression, and the row after the last (0: none)."""
DIRECTION = 9
"""First of the three columns of the rotor's row of `RotorSystem.control_directions`."""
MAX_TORQUE = 12
"""Column of the largest torque of the motor [N m], `UNLIMITED` without a limit."""
SPEED_RESERVE, RESERVE_SLOPE = 13, 14
"""Columns a and b [s/rad] of the speed limit. A motor that accelerates its rotor exerts at most the fraction a - b |W|
of its torque, clipped to 0 and 1, at the relative speed W [rad/s].
"""
UNLIMITED = 1e300
ROW_WIDTH = 15
