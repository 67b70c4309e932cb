"""Chain -> symbolic equations of motion.

Data flow: `kinematics/` (rotations, link ends, velocities, accelerations), `dynamics/` (inertia of one link,
Newton-Euler recursion, energies, momentum), `formulation` (the contract), `methods/` (one folder a formulation),
`motion_equations` (their values as numbers).

What each can do stands in :data:`flexarm.catalogue.FORMULATIONS`; `flexarm compare --help` shows it as a table.
`lagrangian` and `elastodynamics` are published for links that do not shorten; `elastodynamics` has no bases that turn.
"""
