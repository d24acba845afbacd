"""What the random user does, one kind per file."""

from quatviz.base.registry import Registry
from random_user.actions.base import UserAction

ACTIONS: Registry[type[UserAction]] = Registry("random_user.actions", UserAction)
"""Every kind of action by its name."""
