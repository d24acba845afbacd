"""The window: a client of the scripting interface. Physics stays outside this folder."""
