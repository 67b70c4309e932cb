"""Chain -> symbolic equations of motion.

The way through: `rotations`, `kinematics` (frames, velocities, accelerations), `link_inertia` (one link),
`newton_euler` (forces from accelerations), `base` (the contract and the registry), one file per formulation (for
`articulated` also `turns`, `articulated_inertia` and `passages`), `energies`. The formulations with 4x4 matrices stand
on `homogeneous` and `locating` instead of the link equations.

What each can do (`capabilities`)::

                    fixed base  planar base  free base  small rotation  finite rotation  stiffening  prescribed joints
    articulated     yes         yes          yes        yes             yes              yes         yes
    gibbs-appell    yes         yes          yes        yes             yes              yes         yes
    lagrangian      yes         no           no         yes             yes              no          yes
    elastodynamics  yes         no           no         yes             yes              no          yes

`lagrangian` and `elastodynamics` are published for arms on a fixed base and links that do not shorten.
"""
