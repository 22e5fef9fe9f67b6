"""All mutations, room by room."""

from .in_bodies import BODIES
from .in_contact import CONTACT
from .in_dynamics import DYNAMICS
from .in_fe import FE
from .in_frequency import FREQUENCY
from .in_patch_field import PATCH_FIELD
from .in_post import POST
from .in_realtime import REALTIME
from .in_track import TRACK
from .in_train import TRAIN
from .in_wear import WEAR

MUTATIONS = (*BODIES, *CONTACT, *DYNAMICS, *FE, *FREQUENCY, *PATCH_FIELD, *POST, *REALTIME, *TRACK, *TRAIN, *WEAR)
