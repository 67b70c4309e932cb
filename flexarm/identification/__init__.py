"""Identification: numbers of an arm's description fitted to measurements, and what such a fit is worth."""
