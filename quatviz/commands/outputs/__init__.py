"""Outputs of `quatviz render`, such as figures and films, one file each."""

from quatviz.base.registry import Registry
from quatviz.commands.outputs.base import Output

OUTPUTS: Registry[type[Output]] = Registry(__name__, Output, ending_attribute="suffixes")
