"""Verification of inverse motions: the torques drive the forward dynamics; samples that show all peaks."""
