"""Chain -> symbolic equations of motion.

Data flow: `kinematics/` (rotations, link ends, velocities, accelerations), `dynamics/` (inertia of one link,
Newton-Euler recursion, energies, momentum), `formulation` (the contract), `methods/` (one folder a formulation),
`motion_equations` (their values as numbers).

Capabilities (`capabilities`)::

                    fixed base  planar base  free base  small rotation  finite rotation  stiffening  prescribed joints
    articulated     yes         yes          yes        yes             yes              yes         yes
    gibbs-appell    yes         yes          yes        yes             yes              yes         yes
    lagrangian      yes         no           no         yes             yes              no          yes
    elastodynamics  yes         no           no         yes             yes              no          yes

`lagrangian` and `elastodynamics` are published for arms on a fixed base and links that do not shorten.
"""
