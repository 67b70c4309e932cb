"""Derivatives of results by the numbers of a description, by variational equations."""
