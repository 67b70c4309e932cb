"""Pictures of torques over time: of joints, of their drives, of the terms of the equations."""
