"""Forward dynamics: free motion, motion with contact, batches of arms that differ in numbers."""
