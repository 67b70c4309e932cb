"""Derivatives of motions with contacts and friction: from event to event, and what these do to them."""
