"""Rich text with formulae, and formulae alone, as they are typeset."""
