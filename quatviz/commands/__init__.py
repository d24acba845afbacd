"""The commands, one file each: `main(words)` takes the words behind the command's name and returns the exit status.

What a command is for, and how it is called, stands in its docstring; the list of commands and the help are made of it.
"""

from quatviz.base.registry import CommandRegistry

COMMANDS = CommandRegistry(__name__)
"""Every command by its name, in the order in which help tells them. Without one of these names the window opens."""
