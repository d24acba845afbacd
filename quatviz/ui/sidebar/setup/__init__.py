"""The set-up side: forms made from what parameters declare."""
