"""What the random user does, one kind per file."""

from quatviz.base.registry import Registry
from random_user.actions.base import Action

ACTIONS: Registry[type[Action]] = Registry("random_user.actions", Action)
"""Every kind of action by its name."""
