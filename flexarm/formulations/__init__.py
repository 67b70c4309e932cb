"""Chain -> symbolic equations of motion.

The way through: `kinematics/` (rotations, frames, velocities, accelerations), `dynamics/` (inertia of one link, forces
from accelerations, energies, momentum), `formulation` (the contract and the registry), `methods/` (the four
formulations), `motion_equations` (all of it evaluated with numbers).

What each can do (`capabilities`)::

                    fixed base  planar base  free base  small rotation  finite rotation  stiffening  prescribed joints
    articulated     yes         yes          yes        yes             yes              yes         yes
    gibbs-appell    yes         yes          yes        yes             yes              yes         yes
    lagrangian      yes         no           no         yes             yes              no          yes
    elastodynamics  yes         no           no         yes             yes              no          yes

`lagrangian` and `elastodynamics` are published for arms on a fixed base and links that do not shorten.
"""
