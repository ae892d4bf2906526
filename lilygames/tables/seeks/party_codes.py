"""Codes of parties: a short word and two digits, which are easy to say aloud, such as `PEAR42`."""

from __future__ import annotations

import re
import secrets
from collections.abc import Container

WORDS = tuple(
    """
    ACORN APPLE APRON ARROW BACON BADGE BAGEL BAKER BANJO BARN BASIL BEACH BEAD BEAN BEAR BELL BENCH BERRY BIRD BOAT
    BONE BOOK BOOT BOWL BOX BREAD BRICK BROOM BRUSH BUN BUS CAKE CAMEL CANDY CANOE CARD CARP CART CAT CEDAR CHAIR
    CHALK CHERRY CHESS CHICK CLOCK CLOUD CLOVER COAT COCOA COIN COMB COMET CORAL CORK CORN COW CRAB CRANE CROW CROWN
    CUP CURRY DAISY DEER DESK DICE DOG DOLL DOOR DOVE DRUM DUCK EAGLE EGG ELF ELK FARM FERN FERRY FIG FINCH FISH FLAG
    FLUTE FOX FROG GATE GIFT GLASS GLOBE GLOVE GOAT GOLD GOOSE GRAPE GREEN GULL HARP HAT HAWK HEN HILL HIPPO HONEY
    HORN HORSE HOTEL HUT ICE INK IRIS IRON IVY JAM JAR JELLY JET JUICE KAYAK KETTLE KING KITE KOALA LAKE LAMB LAMP
    LEAF LEMON LILY LIME LION LLAMA LOBBY LOTUS MANGO MAP MAPLE MELON MILK MINT MOLE MOON MOOSE MOUSE MUG NEST NOVEL
    NUT OAK OASIS OCEAN OLIVE ONION OPERA ORBIT OTTER OWL PANDA PAPER PARK PASTA PEACH PEAR PIANO PIE PILOT PINE PIZZA
    PLANE PLANT PLUM POND PONY POOL POPPY PUMA PUPPY QUEEN QUILT RABBIT RADIO RAFT RAIN RAVEN RICE RING RIVER ROBIN
    ROBOT ROCK ROOF ROSE RUBY RUG SALAD SAND SHEEP SHELL SHIP SHOE SILK SKY SLED SNAIL SNOW SOAP SOCK SOFA SOUP SPOON
    STAR STONE SUGAR SUN SWAN TABLE TANGO TAXI TEA TENT TIGER TOAST TRAIN TREE TULIP TUNA TURNIP VIOLIN WAGON WALNUT
    WATER WHALE WHEAT WHEEL WINDOW WOLF WOOD WREN YACHT ZEBRA
    """.split()
)
"""The words of the codes."""
_KNOWN = frozenset(WORDS)
_CODE = re.compile(r"([A-Za-z]{3,6}) ?([1-9][0-9])", re.ASCII)


def read(text: str) -> str:
    """Return the code that a text is, as it is shown (`PEAR42`); empty if it isn't one."""
    found = _CODE.fullmatch(text.strip())
    return f"{found[1].upper()}{found[2]}" if found and found[1].upper() in _KNOWN else ""


def drawn(taken: Container[str]) -> str:
    """Return a code that isn't taken."""
    while True:
        code = f"{secrets.choice(WORDS)}{10 + secrets.randbelow(90)}"
        if code not in taken:
            return code


class PartyCodes:
    """The open parties by code."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._codes: dict[int, str] = {}

    def __contains__(self, code: object) -> bool:
        return code in self._numbers

    def put(self, number: int, code: str) -> None:
        """Learn the code of an open table; empty if it's no party, or isn't open any more."""
        before = self._codes.pop(number, "")
        if self._numbers.get(before) == number:
            del self._numbers[before]
        if code:
            self._codes[number] = code
            self._numbers[code] = number

    def number_of(self, code: str) -> int:
        """Return the number of the table with a code; 0 if there is none."""
        return self._numbers.get(code, 0)
