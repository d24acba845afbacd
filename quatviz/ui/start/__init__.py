"""The start page: what to go on with, the lessons, and every preset with its body turning."""
