"""Layout of the rows of numbers that describe rotors whose momentum is integrated to the kernels."""

AXIS = 0
"""First of the three columns of the unit axis."""
INVERSE_INERTIA, FRICTION, FRICTION_PER_INERTIA = 3, 4, 5
"""1/I [1/(kg m^2)], c [N m s] and c/I [1/s]."""
MOTOR = 6
"""Which motor drives it: one of the next three."""
NO_MOTOR, TORQUE_MOTOR, CONTROLLED_MOTOR = 0, 1, 2
TORQUE, PROGRAM_START, PROGRAM_STOP = 7, 8, 9
"""Torque [N m] of a motor, and the rows where the program of its expression begins and ends (0 without one)."""
DIRECTION = 10
"""First of the three columns of its row of `RotorSystem.control_directions`."""
MAX_TORQUE = 13
"""Largest torque of the motor [N m], `UNLIMITED` where there is none."""
SPEED_RESERVE, RESERVE_SLOPE = 14, 15
"""A motor that drives it faster gives the part `SPEED_RESERVE` - |W| `RESERVE_SLOPE` of its torque, between 0 and 1."""
UNLIMITED = 1e300
ROW_WIDTH = 16
