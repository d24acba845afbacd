"""The main window, its menus, keys and files: puts the other rooms together."""
