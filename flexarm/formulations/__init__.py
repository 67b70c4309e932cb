"""Chain -> symbolic equations of motion.

The way through: `rotations`, `kinematics` (frames, velocities, accelerations), `link_inertia` (one link),
`newton_euler` (forces from accelerations), `base` (the contract and the registry), one file per formulation,
`energies`.
"""
