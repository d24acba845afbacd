"""Lanes, their histories, the runner and its worker thread. Qt stays outside."""
