"""Version of quatviz, in a module of its own so that exported tables can import it without the command line."""

__version__ = "0.1.0"
