"""The dialog that imports a recording: its columns, its conventions, the stretch that counts, and how it lies on a lane."""
