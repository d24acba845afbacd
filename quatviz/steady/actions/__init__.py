"""What the random user does, one kind per file."""

from quatviz.core.registry import Registry
from quatviz.steady.actions.base import Action

ACTIONS: Registry[Action] = Registry("quatviz.steady.actions", Action)
"""Every kind of action by its name."""
