"""The commands, one file each: `main(words)` takes the arguments after the command's name and returns the exit
status.

The purpose and the usage of a command are read from the docstring of its module, and shown in the help.
"""

from quatviz.base.registry import CommandRegistry

COMMANDS = CommandRegistry(__name__)
"""Commands by name, in the order of the help. Without one of these names the window opens."""
