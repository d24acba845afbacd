"""Every published table, identity and reference state against what the program computes now."""
