"""The commands, one file each: `main(words)` takes the words behind the command's name and returns the exit status."""

COMMANDS = {
    "list": "presets, formulations, integrators and loads",
    "run": "compute a preset, print what became of each lane, write a table",
    "render": "compute a preset and show it in a file: a page for a browser, a film, a picture, a figure",
    "study": "how errors fall with the step, and what they cost",
    "lessons": "lectures, whose numbers are measured in runs made now",
    "figures": "the documents' figures and tables, computed now, for print",
    "verify": "published tables, identities and reference states against runs made now",
    "bench": "speed on this machine",
    "steady": "a random user of the real window, for as long as you like: no fault, no leak",
    "help": "a page of the help, or what it says about some words",
    "doctor": "what this machine's display, OpenGL and libraries can do, and what to install",
}
"""What each command is for, in the order in which help names them. Without one of these the window opens."""
