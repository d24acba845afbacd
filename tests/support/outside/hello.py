"""`quatviz hello`: print a greeting.

quatviz hello                               says hello from outside
"""

from collections.abc import Sequence


def main(arguments: Sequence[str]) -> int:
    """Print a greeting and return 0."""
    print("hello from outside", *arguments)
    return 0
