"""An outside package with one of each kind of thing, each in a file of its own, for `test_plugins`."""
