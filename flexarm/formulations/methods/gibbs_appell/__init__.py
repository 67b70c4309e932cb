"""Recursive Gibbs-Appell formulation, [GA09]."""
