"""Layout of the rows of numbers that describe rotors with integrated momentum to kernels."""

AXIS = 0
"""First of the three columns of the unit axis."""
INVERSE_INERTIA, FRICTION, FRICTION_PER_INERTIA = 3, 4, 5
"""Columns of 1/I [1/(kg m^2)], c [N m s] and c/I [1/s]."""
TORQUE, PROGRAM_START, PROGRAM_STOP = 6, 7, 8
"""Columns of the torque [N m] of a motor, and of the rows at which the program of its expression starts and stops
(0 without one)."""
DIRECTION = 9
"""First of the three columns of the rotor's row of `RotorSystem.control_directions`."""
MAX_TORQUE = 12
"""Column of the largest torque of the motor [N m], `UNLIMITED` without a limit."""
SPEED_RESERVE, RESERVE_SLOPE = 13, 14
"""Columns that limit the torque of a motor which accelerates the rotor to the fraction `SPEED_RESERVE` - |W|
`RESERVE_SLOPE`, clipped to 0 and 1.
"""
UNLIMITED = 1e300
ROW_WIDTH = 15
