"""A plug-in package with one extension of each family, for `test_plugins`."""
