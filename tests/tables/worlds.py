"""For each game, how another world is made that a seat cannot tell from this one: from the rules' *View* line only."""

from tests.games.liarslair import worlds as liarslair_worlds
from tests.games.liarspoker import worlds as liarspoker_worlds
from tests.games.lilypoker import worlds as lilypoker_worlds
from tests.games.ohell import worlds as ohell_worlds
from tests.games.wizard import worlds as wizard_worlds
from tests.rules.dice import worlds as dice_worlds

WORLDS = {
    "ohell": ohell_worlds.hide,
    "wizard": wizard_worlds.hide,
    "liarsdice": dice_worlds.hide,
    "liedie": dice_worlds.hide,
    "liarspoker": liarspoker_worlds.hide,
    "lilypoker": lilypoker_worlds.hide,
    "liarslair": liarslair_worlds.hide,
}
