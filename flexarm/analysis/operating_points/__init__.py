"""Operating points: an arm at rest or turning steadily, which of its joints are held there, and its record."""
