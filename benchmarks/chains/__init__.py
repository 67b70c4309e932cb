"""Chains of flexible links that fall: one case described once, for flexarm and for what it is compared with."""
