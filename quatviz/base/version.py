"""The version, where tables can read it as well as the command line."""

__version__ = "0.1.0"
