"""What an arm is: links, joints, loads, walls, and whether these parts are consistent."""
