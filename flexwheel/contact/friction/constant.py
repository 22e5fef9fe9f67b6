"""A constant coefficient of friction: contact.friction."""

from flexwheel.contact.friction.law import FrictionLaw

CONSTANT = FrictionLaw("constant", "one coefficient for every patch")
