"""Kernels that read packed loads, and the sum over loads that are not constant. These modules contain compiled code
only."""
