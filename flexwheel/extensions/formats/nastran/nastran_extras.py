"""What Nastran cards beside nodes, solids, sets and materials carry; CONM2, RBE2, RBE3 and MPC read from them."""

import re
from dataclasses import dataclass, field

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Material
from flexwheel.extensions.formats.nastran.nastran_cards import BulkCard, integer, real, to_real
from flexwheel.extensions.formats.nastran.nastran_systems import Definition, resolve
from flexwheel.extensions.formats.raw_mesh import (
    NOTHING,
    LostCards,
    RawEquation,
    RawMass,
    RawMean,
    RawRigid,
    carrying_cards,
)

_CARRIES = {what: re.compile(f"({'|'.join(patterns)})$") for what, patterns in carrying_cards("nastran").items()}
_FLATS = re.compile(r"(CQUAD[48RX]?|CTRIA[36R]?|CTRIAX6?|CQUADX[48]?|CTRAX[36]|CPLST[N3468]*|CPLSN\d)$")
_CASE = re.compile(r"^\s*([KMB]2(?:GG|PP)|K42GG|A2GG|TFL)\s*(?:\([^)]*\))?\s*=", re.I)
_CASE_MPC = re.compile(r"^\s*MPC\s*=\s*(\d+)", re.I)
_CASE_CARRIES = {"K2": "stiffness", "M2": "mass", "B2": "damping", "K4": "damping", "A2": "stiffness", "TF": "damping"}


def is_flat(card: BulkCard) -> bool:
    """Shells and membranes: harmless where they mark faces of solids and have no property."""
    return bool(_FLATS.match(card.name))


def carried_by(name: str) -> str:
    """What a card carries that this package does not take over; '' for nothing."""
    found = (what for what, pattern in _CARRIES.items() if pattern.match(name))
    return next(found, "not known to this reader").replace(NOTHING, "")


def case_selections(text, case: list[tuple[int, str]]) -> list[LostCards]:
    """Matrices that the case control section adds to those of the elements."""
    found = []
    for row, line in case:
        match = _CASE.match(line)
        if match and (what := _CASE_CARRIES.get(match.group(1).upper()[:2])):
            found.append(LostCards(match.group(1).upper(), 1, text.at(row), what))
    return found


@dataclass
class Extras:
    """Cards kept until all nodes are known."""

    masses: list[BulkCard] = field(default_factory=list)
    averages: list[BulkCard] = field(default_factory=list)  # RBE3
    rigid: list[BulkCard] = field(default_factory=list)  # RBE2
    equations: list[BulkCard] = field(default_factory=list)  # MPC, MPCADD
    springs: list[BulkCard] = field(default_factory=list)  # CELAS1, CELAS2, CBUSH
    spring_properties: dict[str, BulkCard] = field(default_factory=dict)  # "PELAS n", "PBUSH n"


def point_masses(
    extras: Extras, positions: dict, systems: dict[int, Definition], path, factor: float
) -> tuple[list, list]:
    """Masses of CONM2, those at the reference node of an RBE3 carried by the nodes it averages.

    Parameters
    ----------
    positions : {node id: (3,)}      basic coordinates, file units
    factor : float                   PARAM,WTMASS

    Returns
    -------
    masses : list of RawMass
    lost : list of LostCards         CONM2 and RBE3 with options that are not read

    Source: MSC Nastran quick reference guide, CONM2 (products of inertia with their sign turned) and RBE3.
    """
    carriers, lost = _averages(extras.averages, positions)
    carriers |= {integer(card, 1): ("RBE2", nodes) for card in extras.rigid if (nodes := rigid_nodes(card)) is not None}
    masses = []
    for card in extras.masses:
        number, node, system = integer(card, 0), integer(card, 1), integer(card, 2, 0)
        if node not in positions:
            raise MeshError(f"{card.at()}: CONM2 {number}: node {node} is not defined")
        axes = np.eye(3)
        if system > 0:
            definition = resolve(path, systems, system)
            if definition.kind != "R":
                lost.append(LostCards("CONM2", 1, card.at(), "an offset in cylindrical or spherical axes"))
                continue
            axes = definition.axes
        mass = factor * real(card, 3)
        offset = np.array([real(card, k) for k in (4, 5, 6)])
        own = np.asarray(positions[node], dtype=float)
        place = offset if system == -1 else own + axes @ offset
        i11, i21, i22, i31, i32, i33 = (factor * real(card, k) for k in range(8, 14))
        inertia = axes @ np.array([[i11, -i21, -i31], [-i21, i22, -i32], [-i31, -i32, i33]]) @ axes.T
        if not (np.isfinite([mass, *place]).all() and np.isfinite(inertia).all() and mass >= 0):
            raise MeshError(
                f"{card.at()}: CONM2 {number}: mass {mass:g} and the like, expected finite positive numbers"
            )
        carrier = reversed(carriers.get(node, ("", None)))
        masses.append(RawMass("CONM2", f"CONM2 {number}", card.at(), node, mass, place, inertia, *carrier))
    return masses, lost


def mat1(card: BulkCard) -> Material:
    """MAT1: E, G, nu, density; one of E, G, nu may be left out."""
    young, shear, poisson = (real(card, k, np.nan) for k in (1, 2, 3))
    if np.isnan(poisson):
        if shear == 0 or np.isnan(young) or np.isnan(shear):
            raise MeshError(
                f"{card.at()}: MAT1 {card.field(0)} must give two of E, G and nu, "
                f"got E = {young:g}, G = {shear:g}, no nu"
            )
        poisson = young / (2 * shear) - 1
    if np.isnan(young):
        young = 2 * (1 + poisson) * shear
    return Material(young, poisson, real(card, 4), f"MAT1_{card.field(0)}")


def averaged_nodes(card: BulkCard) -> list[int]:
    """Node ids of an RBE3 of equal weights on all translations; ValueError on any other."""
    if set(card.field(3)) - set("123456") or not set("123") <= set(card.field(3)):
        raise ValueError("its reference node does not follow all three translations")
    words = [w for w in card.fields[4:] if w]
    upper = [w.upper() for w in words]
    end = next((k for k, w in enumerate(upper) if w in ("UM", "ALPHA")), len(words))
    if "UM" in upper:
        raise ValueError("UM names other dependent nodes")
    groups, nodes, k = [], [], 0
    while k < end:
        if not re.fullmatch(r"[+-]?[0-9]+", words[k]):
            weight = to_real(words[k])
            if k + 1 >= end or words[k + 1] not in ("123", "123456"):
                raise ValueError("weights on single components")
            groups.append(weight)
            k += 2
        else:
            nodes.append(int(words[k]))
            k += 1
    if len(set(groups)) != 1:
        raise ValueError("weights differ")
    return nodes


def _averages(cards, positions):
    """{reference node id: (card, ids of the nodes it follows)}, and what is not read."""
    carriers, lost = {}, []
    for card in cards:
        try:
            nodes = averaged_nodes(card)
        except ValueError as error:
            lost.append(LostCards("RBE3", 1, card.at(), f"an average that is not read: {error}"))
            continue
        missing = [n for n in nodes if n not in positions]
        if missing:
            raise MeshError(f"{card.at()}: RBE3 {card.field(0)}: node {missing[0]} is not defined")
        carriers[integer(card, 2)] = "RBE3", np.array(nodes, dtype=np.int64)
    return carriers, lost


def tied_nodes(extras: Extras) -> dict[str, np.ndarray]:
    """Node sets RBE2_n and RBE3_n of the nodes that couplings tie, say to stand for an interface."""
    sets = {}
    for card in extras.averages:
        try:
            sets[f"RBE3_{card.field(0)}"] = np.array(averaged_nodes(card), dtype=np.int64)
        except ValueError:
            continue
    for card in extras.rigid:
        if (nodes := _dependents(card)) is not None:
            sets[f"RBE2_{card.field(0)}"] = nodes
    return sets


def rigid_nodes(card: BulkCard) -> np.ndarray | None:
    """Node ids that an RBE2 binds in all translations; None for any other RBE2."""
    whole = set("123") <= set(card.field(2)) <= set("123456")
    return _dependents(card) if whole else None


def _dependents(card):
    words = [w for w in card.fields[3:] if w]
    if words and not words[-1].isdecimal():
        words.pop()  # coefficient of expansion
    if words and all(w.isdecimal() and len(w) < 19 for w in words):
        return np.array([int(w) for w in words], dtype=np.int64)
    return None


def constraints(extras: Extras, text, case: list[tuple[int, str]], directions) -> tuple[list, list, list]:
    """Constraints of RBE2 and of the MPC that the case control selects, or of the only set where it selects none.

    directions : function(node id)    its directions 1 2 3 (GRID field CD) as columns (3, 3), which MPC follow

    Returns
    -------
    ties : list of RawRigid, RawEquation
    lost : list of LostCards               what is not read
    notes : list of str                    MPC that no case selects
    """
    ties, lost, notes = [], [], []
    for card in extras.rigid:
        nodes = rigid_nodes(card)
        if nodes is None:
            lost.append(LostCards("RBE2", 1, card.at(), f"a constraint of the directions {card.field(2)}"))
        else:
            own = np.append(nodes, integer(card, 1))
            pinned = None if set("456") <= set(card.field(2)) else nodes
            ties.append(RawRigid("RBE2", f"RBE2 {card.field(0)}", card.at(), own, pinned=pinned))
    for card in extras.averages:
        try:
            nodes = np.array(averaged_nodes(card), dtype=np.int64)
        except ValueError:  # said with the masses
            continue
        turns = set("456") <= set(card.field(3))
        ties.append(RawMean("RBE3", f"RBE3 {card.field(0)}", card.at(), integer(card, 2), nodes, turns))
    mpc = [card for card in extras.equations if card.name == "MPC"]
    chosen = {int(m.group(1)) for _, line in case if (m := _CASE_MPC.match(line))}
    sets = {integer(card, 0) for card in mpc}
    if not chosen and len(sets) > 1:
        what = "a constraint of one of several sets, of which no case selects any (MPC = n)"
        lost += [LostCards("MPC", 1, card.at(), what) for card in mpc]
        return ties, lost, notes
    for card in extras.equations:
        if card.name == "MPCADD" and integer(card, 0) in chosen:
            chosen |= {int(w) for w in card.fields[1:] if w.isdecimal()}
    chosen = chosen or sets
    for card in mpc:
        if integer(card, 0) not in chosen:
            notes.append(f"not read: MPC of the set {card.field(0)}, which no case selects ({card.at()})")
            continue
        equation = _equation(card, directions)
        if equation is None:
            what = "a constraint of rotations or scalar points"
            lost.append(LostCards("MPC", 1, card.at(), what))
        else:
            ties.append(RawEquation("MPC", f"MPC of node {equation[0][0]}", card.at(), *equation))
    return ties, lost, notes


def _equation(card, directions):
    """Nodes and coefficients (m, 3) of an MPC; None where it holds more than translations of nodes."""
    nodes, factors = [], []
    for start in range(1, len(card.fields), 8):
        for k in (start, start + 3):
            if not card.field(k):
                continue
            if card.field(k + 1) not in ("1", "2", "3"):
                return None
            nodes.append(integer(card, k))
            factors.append(real(card, k + 2) * directions(nodes[-1])[:, integer(card, k + 1) - 1])
    return (tuple(nodes), np.array(factors)) if nodes else None
