"""The study's window: choices, curves that grow as runs finish, and their table."""
