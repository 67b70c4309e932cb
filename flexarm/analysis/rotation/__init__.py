"""Steady rotation: the rates asked for, and the posture in which an arm turns at such a rate like a rigid body."""
