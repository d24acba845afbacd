"""Helpers of the commands that are not commands themselves."""
