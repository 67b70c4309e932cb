"""The task: prescribed coordinates, their reference trajectory, and the joint angles that fulfil them."""
