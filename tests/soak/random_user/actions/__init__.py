"""The actions of the random user, one class per module."""

from quatviz.base.registry import Registry
from random_user.actions.base import UserAction

ACTIONS: Registry[type[UserAction]] = Registry("random_user.actions", UserAction)
"""Action classes by name."""
