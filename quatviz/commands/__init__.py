"""The commands, one file each: `main(words)` takes the words behind the command's name and returns the exit status."""

COMMANDS = {
    "list": "presets, formulations, integrators and loads",
    "run": "compute a preset, print what became of each lane, write a table",
    "bench": "speed on this machine",
}
"""What each command is for, in the order in which help names them. Without one of these the window opens."""
