"""For each game, how another world is made that a seat cannot tell from this one: from the rules' *View* line only."""

from tests.rules import dice_worlds, liarslair_worlds, liarspoker_worlds, lilypoker_worlds, ohell_worlds, wizard_worlds

WORLDS = {
    "ohell": ohell_worlds.hide,
    "wizard": wizard_worlds.hide,
    "liarsdice": dice_worlds.hide,
    "liedie": dice_worlds.hide,
    "liarspoker": liarspoker_worlds.hide,
    "lilypoker": lilypoker_worlds.hide,
    "liarslair": liarslair_worlds.hide,
}
