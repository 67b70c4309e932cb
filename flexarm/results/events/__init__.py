"""What a result tells of events: impacts, touches of soft walls, joints that stick or creep."""
