"""The bar below: buttons, timeline, marks of what happens when."""
