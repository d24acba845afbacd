"""Entry point of `python -m quatviz`."""

import sys

from quatviz.cli import main

if __name__ == "__main__":
    sys.exit(main())
