"""The commands of `quatviz`, one module each.

The function `main(words)` of a module receives the arguments after the command's name and returns the exit status. The
help shows the purpose and the examples from the docstring of the module.
"""

from quatviz.base.registry import CommandRegistry

COMMANDS = CommandRegistry(__name__)
"""Commands by name, in the order of the help. If the first argument is not the name of a command, quatviz opens
the window."""
