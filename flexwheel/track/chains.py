"""Parts of a track in a row, at a frequency: dynamic stiffness (..., 6, 6) of their two ends of three values each."""

import numpy as np


def joined(first, second, between=0.0):
    """Dynamic stiffness (..., 6, 6) of two parts in a row; between: (..., 3, 3) on the node where they meet."""
    joint = np.linalg.inv(first[..., 3:, 3:] + between + second[..., :3, :3])
    onto, back = first[..., :3, 3:] @ joint, second[..., 3:, :3] @ joint
    out = np.empty_like(first)
    out[..., :3, :3] = first[..., :3, :3] - onto @ first[..., 3:, :3]
    out[..., :3, 3:] = -onto @ second[..., :3, 3:]
    out[..., 3:, :3] = -back @ first[..., 3:, :3]
    out[..., 3:, 3:] = second[..., 3:, 3:] - back @ second[..., :3, 3:]
    return out


def chained(part, count, between=0.0):
    """Dynamic stiffness (..., 6, 6) of `count` equal parts in a row, as `joined`."""
    whole = part
    for _ in range(count - 1):
        whole = joined(whole, part, between)
    return whole


def beyond(end, part):
    """Dynamic stiffness (..., 3, 3) of a chain's end with one part (..., 6, 6) more."""
    near = end + part[..., :3, :3]
    return part[..., 3:, 3:] - part[..., 3:, :3] @ np.linalg.solve(near, part[..., :3, 3:])


def turned(part):
    """A part's ends exchanged."""
    return np.roll(part, (3, 3), (-2, -1))
