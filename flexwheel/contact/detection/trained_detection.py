"""What was learnt of one profile pair, and how."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class TrainingOptions:
    """How networks and table are made; part of their key.

    Attributes
    ----------
    yaw, roll, shift : float [rad, rad, m]  half-widths of the range (yaw of either sign)
    radius : float [m]           of the wheel
    neurons, class_neurons : int of the hidden layer of each network and of the classifier
    samples, validation : int    configurations for training and for early stopping
    epochs, patience : int       see `train_network`
    table : (int, int, int)      nodes of the look-up table
    by_number : bool             one network for each number of minima, as in the paper, in place of one for each
                                 region of configurations whose minima lie on the same branches
    seed : int
    """

    yaw: float = np.pi / 180
    roll: float = np.pi / 240
    shift: float = 10.3e-3
    radius: float = 0.46
    neurons: int = 24
    class_neurons: int = 60
    samples: int = 16000
    validation: int = 5000
    epochs: int = 300
    patience: int = 10
    by_number: bool = False
    table: tuple = (9, 33, 401)
    seed: int = 1


@dataclass(frozen=True)
class TrainedDetection:
    """Networks and table of a pair, and how well they were learnt.

    Attributes
    ----------
    key : str                    of the profile pair (`pair_key`)
    arrays : dict                the learnt fields of DetectionTables
    options : TrainingOptions
    share : (c,) float           of the range's configurations that belong to each class
    place_error : (c,) float [m] root mean square on the validation set
    epochs : (c + 1,) int        of the classifier and of each class's network
    """

    key: str
    arrays: dict
    options: TrainingOptions
    share: np.ndarray
    place_error: np.ndarray
    epochs: np.ndarray
