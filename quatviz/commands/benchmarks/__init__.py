"""Speed, one file for each bench: `measure()` gives its figures, each beside a reference of the same run, its growths and remarks.

What a bench measures stands in its docstring, of which the list of benches is made; an installed package adds one by an entry
point of the group `quatviz.bench`.
"""

from quatviz.base.registry import CommandRegistry

BENCHES = CommandRegistry(__name__, "bench")
"""Every bench by its name, in the order in which `quatviz bench --help` tells them."""
