"""Linear systems whose signals have names, and how blocks that read some and give others are connected to them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.linalg import block_diag

from flexarm.analysis.linear_models.held_inputs import held_inputs


class SignalSystem(NamedTuple):
    """Linear system x' = A x + B u, y = C x + D u, x' being the rate or the next sample, with names of its signals."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    states: tuple[str, ...]

    def sampled(self, period: float) -> SignalSystem:
        """The same system at samples [s] between which its inputs are held."""
        A, B = held_inputs(self.A, self.B, period)
        return self._replace(A=A, B=B)

    def picked(self, inputs: Sequence[str], outputs: Sequence[str]) -> SignalSystem:
        """The same system with some of its inputs and outputs."""
        columns, rows = (
            [self.inputs.index(name) for name in inputs],
            [self.outputs.index(name) for name in outputs],
        )
        B, D = self.B[:, columns], self.D[np.ix_(rows, columns)]
        return SignalSystem(self.A, B, self.C[rows], D, tuple(inputs), tuple(outputs), self.states)


def connected(
    plant: SignalSystem,
    blocks: Sequence[SignalSystem],
    feeds: Mapping[str, Sequence[str]],
    opened: Collection[str] = (),
) -> SignalSystem:
    """Plant with blocks that read its outputs and one another, by names, and feed its inputs.

    Parameters
    ----------
    feeds : mapping of str to sequence of str
        Input of the plant -> signals that are added to it.
    opened : collection of str
        Outputs of blocks that nobody reads: who would, reads an input of this name.

    Returns
    -------
    SignalSystem
        Its inputs are those of the plant, then signals that are opened or that nothing gives; its outputs those of the
        plant, then of the blocks. Where a block has the name of an output of the plant, that of the block is read by
        all others.

    Notes
    -----
    With z = [v, w], outputs v of blocks and inputs w, plant inputs u + F z and block inputs m = My y + Mz z:
    v = Cb xb + Db m and y = C x + D (u + F z) are solved for v; the loops of a description have no algebraic ones.
    """
    own = [name for block in blocks for name in block.outputs]
    read = [name for block in blocks for name in block.inputs]
    further = [name for names in (*feeds.values(), read) for name in names]
    given = [name for name in dict.fromkeys(further) if name in opened or name not in (*own, *plant.outputs)]
    signals = [*own, *given]

    def place(name: str) -> int:
        return len(own) + given.index(name) if name in given else own.index(name)

    F = np.zeros((len(plant.inputs), len(signals)))
    for name, fed in feeds.items():
        for signal in fed:
            F[plant.inputs.index(name), place(signal)] += 1.0
    My, Mz = np.zeros((len(read), len(plant.outputs))), np.zeros((len(read), len(signals)))
    k = 0
    for block in blocks:
        for name in block.inputs:
            of_block = (
                name in given or (name in own and name not in block.outputs) or name not in plant.outputs
            )
            if of_block:
                Mz[k, place(name)] = 1.0
            else:
                My[k, plant.outputs.index(name)] = 1.0
            k += 1
    Ab, Bb = _diagonal([block.A for block in blocks]), _diagonal([block.B for block in blocks])
    Cb, Db = _diagonal([block.C for block in blocks]), _diagonal([block.D for block in blocks])
    n_v, G = len(own), My @ plant.D @ F + Mz
    solve = np.linalg.inv(np.eye(n_v) - Db @ G[:, :n_v])
    # v, then m and y, by the columns of x, xb, u and w
    n, n_b, n_u, n_w = len(plant.A), len(Ab), len(plant.inputs), len(given)
    x, xb, u, w = np.split(np.eye(n + n_b + n_u + n_w), np.cumsum([n, n_b, n_u]))
    open_y = plant.C @ x + plant.D @ u
    v = solve @ (Cb @ xb + Db @ (My @ open_y + G[:, n_v:] @ w))
    z = np.vstack([v, w])
    m, fed = My @ open_y + G @ z, F @ z
    y = open_y + plant.D @ fed
    rates = np.vstack([plant.A @ x + plant.B @ (u + fed), Ab @ xb + Bb @ m])
    out, states = np.vstack([y, v]), n + n_b
    return SignalSystem(
        rates[:, :states], rates[:, states:], out[:, :states], out[:, states:],
        (*plant.inputs, *given), (*plant.outputs, *own),
        (*plant.states, *(name for block in blocks for name in block.states)),
    )  # fmt: skip


def _diagonal(parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.asarray(block_diag(*parts)) if parts else np.zeros((0, 0))
