"""A line that is nothing but what the table asks for is asked about before it tells a secret."""

import pytest

from lilygames.chat.input.grammar import Ask, Talk, read
from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames_rules.cards import DECK
from tests.grammar.phases import SHORT
from tests.grammar.test_talk import is_told
from tests.toys import installed


async def table_of(name, *names, options=""):
    """Return a stage on which people play a game: the first opens the table and invites the others."""
    stage = await Stage.open(installed(name))
    for who in names:
        stage.enter(who)
    await stage.type(names[0], f"/new {name} {options or SHORT[name]} {' '.join(names[1:])}")
    for who in names[1:]:
        await stage.type(who, "/sit 1")
    return stage


def asked(stage):
    """Return who is asked, and their legal moves."""
    return next(
        (who, stage.table(1).words(person)) for who, person in stage.people.items() if stage.table(1).question(person)
    )


async def at_cards(stage):
    """Make moves until somebody is asked for a card; return who, and a card of theirs."""
    while True:
        who, words = asked(stage)
        if words[0].startswith("play "):
            return who, words[0].removeprefix("play ")
        await stage.type(who, f"/{words[0]}")


def said(stage, but):
    """Return what the others read as talk."""
    return [
        row for who, screen in stage.screens.items() if who != but for row in screen.take() if row.startswith(" - ")
    ]


RANKS = {"J": "jack", "Q": "queen", "K": "king", "A": "ace", "2": "two", "3": "three", "4": "four", "5": "five"}
RANKS |= {"6": "six", "7": "seven", "8": "eight", "9": "nine", "10": "ten"}
SUITS = {"H": ("hearts", "♥"), "S": ("spades", "♠"), "D": ("diamonds", "♦"), "C": ("clubs", "♣")}


def spellings(card):
    """Return usual spellings of a card that aren't moves as they stand."""
    rank, suit = card[:-1], card[-1]
    word, (suits, sign) = RANKS[rank], SUITS[suit]
    return [
        f"{suit}{rank}".lower(),
        f"{sign}{rank}",
        f"{sign} {rank}",
        f"the {word} of {suits}",
        f"The {word.title()} of {suits.title()}!",
        f"{word} {suits}",
        f"my {word} of {suits}",
        f"i play the {word} of {suits}",
        f"I'll play {rank}{suit}",
        f"play the {word} of {suits}",
        f"{rank} of {suits}, please",
        f"my {word}",
        f"the {word}",
    ]


@pytest.mark.parametrize("name", ["ohell", "wizard"])
async def test_card_in_any_spelling_is_asked_about_and_number_1_plays_it(name):
    stage = await table_of(name, "Ann", "bob", "Cat")
    who, card = await at_cards(stage)
    while card[-1] not in SUITS:  # a wizard or a jester has no suit
        await stage.type(who, f"/play {card}")
        who, card = await at_cards(stage)
    seq = stage.table(1).table.seq
    for line in spellings(card):
        said(stage, but=who)
        (row,) = await stage.type(who, line)
        assert row.startswith(f"Did you mean /play {card}"), line
        assert "to play it, or ' first to say it." in row
        assert [] == said(stage, but=who)
        assert seq == stage.table(1).table.seq

    rows = await stage.type(who, "1")

    assert any(f"You play {card}" in row for row in rows), rows


async def test_colour_and_rank_offer_the_cards_that_they_leave():
    stage = await table_of("ohell", "Ann", "Bob", "Cat", options="max=16")
    who, _ = await at_cards(stage)
    legal = [word.removeprefix("play ") for word in asked(stage)[1]]
    card, colour = next((card, "red" if card[-1] in "HD" else "black") for card in legal if card[-1] in SUITS)
    both = [one for one in legal if one[:-1] == card[:-1] and (one[-1] in "HD") == (colour == "red")]

    (row,) = await stage.type(who, f"the {colour} {RANKS[card[:-1]]}")

    assert row.startswith("Did you mean " + " or ".join(f"/play {one}" for one in both) + "?")


async def test_size_and_suit_offer_cards_of_the_suit():
    stage = await table_of("ohell", "Ann", "Bob", "Cat", options="max=16")
    who, card = await at_cards(stage)
    said(stage, but=who)

    rows = await stage.type(who, f"My lowest {SUITS[card[-1]][0][:-1]}")

    assert rows[0].startswith("Did you mean /play ")
    assert [] == said(stage, but=who)


async def test_question_is_for_the_position_that_it_was_asked_at():
    """The number of an old question makes no move in a new trick."""
    stage = await table_of("ohell", "Ann", "bob", "Cat", options="max=3")
    who, card = await at_cards(stage)
    await stage.type(who, spellings(card)[0])
    line = stage.people[who].focus.choices.lines[0]
    await stage.type(who, f"/play {card}")

    rows = await stage.type(who, line)

    assert any("the game has moved on since then" in row for row in rows), rows


async def test_quotation_mark_says_a_card():
    stage = await table_of("ohell", "Ann", "bob", "Cat")
    who, card = await at_cards(stage)
    said(stage, but=who)

    await stage.type(who, f"'{spellings(card)[0]}")

    assert [f" - {spellings(card)[0]}"] * 2 == said(stage, but=who)


SENTENCES = [
    "I have the five of hearts",
    "i had two aces and still lost",
    "the ace is gone",
    "my jack never wins",
    "two?",
]


@pytest.mark.parametrize("name", sorted(SHORT))
async def test_sentence_about_cards_and_dice_goes_out(name):
    stage = await table_of(name, "Ann", "bob", "Cat")
    who, _ = asked(stage)
    context = stage.context(who)
    for line in SENTENCES:
        assert Talk(line) == read(line, context), line


LINES = {
    "ohell": [
        "two",
        "I bid two",
        "h5",
        "the five of hearts",
        "Make it two",
        "i'll take 1",
        "nil",
        "My bid is two",
        "2 tricks",
    ],
    "wizard": ["one", "i bid one", "the wizard", "my jester", "one for me", "just one", "None", "two tricks please"],
    "lilypoker": [
        "i fold",
        "I check",
        "the five of hearts",
        "h5, 2c",
        "fold!",
        "All in!",
        "i raise it to 10",
        "stand pat",
    ],
    "liarspoker": [
        "i bid five sevens",
        "I'll bid 3 fours",
        "five sevens!",
        "three 5s",
        "Three of fives",
        "make it 3 fives",
    ],
    "liarsdice": ["pair of kings", "i claim two pair", "full house", "a pair of nines"],
    "liedie": ["3 3 1 4 5!", "3-3-1-4-5", "I claim 66541"],
    "liarslair": ["i pass", "I volunteer", "volunteer!"],
}
"""Lines that are nothing but a move, at the first question of each game. Some of them may be moves as they are."""


@pytest.mark.parametrize("name", sorted(LINES))
async def test_line_that_is_only_a_move_never_goes_out_as_talk(name):
    stage = await table_of(name, "Ann", "bob", "Cat")
    who, _ = asked(stage)
    context = stage.context(who)
    told = [line for line in LINES[name] if is_told(line, context)]

    assert [] == told


async def test_without_a_secret_nothing_is_held_back():
    """Who accepts or challenges in Lie Die holds nothing; a claim is public."""
    stage = await table_of("liedie", "Ann", "bob", "Cat", options="games=2")
    while not asked(stage)[1][0].startswith("accept"):
        who, words = asked(stage)
        await stage.type(who, f"/{words[0]}")
    who, _ = asked(stage)
    context = stage.context(who)

    assert Talk("66541!") == read("66541!", context)


async def out_of_turn(name):
    """Return a table's stage, and someone who has a secret but isn't asked there."""
    stage = await table_of(name, "Ann", "bob", "Cat")
    while True:
        for who, person in stage.people.items():
            expected = stage.table(1).expected(person)
            if expected and expected.secret and not expected.asked:
                return stage, who
        who, words = asked(stage)
        await stage.type(who, f"/{words[0]}")


CARDS = (
    "h5|5 of h|5♥|♥5|hearts five|five hearts|q hearts|the ace of spades|jack diamonds|H5.|h5!|[5h]|5hearts|kingofhearts"
    "|ten of clubs please|red five|The Black Queen!|my red 10|five, red|I play the black jack"
    "|King Of Hearts!|I play the jack of diamonds|h5, jd|h5 and the jack of clubs"
).split("|")
DICE = ["9 T J Q K", "K K K", "k-k-k-9-9", "a a a a a!"]
WAITING = {
    "ohell": CARDS,
    "wizard": [*CARDS, "the wizard", "My Jester!", "a wizard and the two of hearts"],
    "lilypoker": CARDS,
    "liarsdice": DICE,
    "liedie": ["3 3 1 4 5", "3-3-1-4-5!", "3 3 4"],
}


@pytest.mark.parametrize("name", sorted(WAITING))
async def test_cards_and_dice_are_held_back_out_of_turn(name):
    stage, who = await out_of_turn(name)
    for line in WAITING[name]:
        said(stage, but=who)
        (row,) = await stage.type(who, line)
        assert row.startswith(("Refused: it isn't your turn. Type ' first to say it.", "Refused: wait for ")), line
        assert [] == said(stage, but=who), line
    await stage.type(who, f"'{WAITING[name][0]}")
    assert [f" - {WAITING[name][0]}"] * 2 == said(stage, but=who)


TALKED = (
    "the queen|five sevens!|two pair!|I bid two|i fold|ace!|3 : 4|my jack|Ah!|ha|Ha!|a 7|5h?|tens|aces|aced it|a"
    "|hearts please|I have the ace of hearts|5h lol|three 5s|make it two|red|my red one|paint it black"
    "|i have a red five|a red|a black"
).split("|")


@pytest.mark.parametrize("name", sorted(WAITING))
async def test_bids_suits_and_ranks_are_talk_out_of_turn(name):
    stage, who = await out_of_turn(name)
    context = stage.context(who)
    for line in TALKED:
        assert Talk(line) == read(line, context), line


async def test_without_a_seat_cards_are_talk():
    stage = await table_of("ohell", "Ann", "bob", "Cat")
    stage.enter("Eve")
    await stage.type("Eve", "/watch 1")
    context = stage.context("Eve")

    assert Talk("the ace of spades") == read("the ace of spades", context)


async def test_card_is_only_offered_where_it_is_legal():
    """In a betting round of draw nobody can discard."""
    stage = await table_of("lilypoker", "Ann", "bob", "Cat", options="variant=draw hands=7")
    who, words = asked(stage)
    assert not any(word.startswith("discard") for word in words)
    said(stage, but=who)
    for line in ("the five of hearts", "h5", "h5, 2c", "discard the five of hearts"):
        assert ["Refused: you can't play that now. Type ' first to say it."] == await stage.type(who, line), line
    assert [] == said(stage, but=who)


async def test_card_that_breaks_a_rule_is_not_offered():
    stage = await table_of("ohell", "Ann", "bob", "Cat")
    who, _ = await at_cards(stage)
    legal = {word.removeprefix("play ") for word in asked(stage)[1]}
    other = next(card for card in map(str, DECK) if card not in legal)

    rows = await stage.type(who, spellings(other)[0])

    assert ["Refused: you can't play that now. Type ' first to say it."] == rows


def test_all_games_are_asked_about():
    assert set(games()) <= set(LINES)


@pytest.mark.parametrize("line", ["wizard mov 1 fred PASSWORD 0", "wizard m 1 fred PASSWORD 0", "Wizard mvoe 1 f PW 0"])
async def test_mistyped_move_by_mail_is_told_to_nobody(line):
    """It has a password."""
    stage = await table_of("ohell", "Ann", "bob", "Cat")
    installed("wizard")
    for who in ("Ann", "bob"):
        said(stage, but=who)
        rows = " ".join(await stage.type(who, line))
        assert rows.startswith("Refused: a move by mail is like")
        assert [] == said(stage, but=who)


async def test_move_by_mail_never_adjourns():
    """AD is an ace, and no command."""
    stage = await table_of("liedie", "Ann", "bob", options="games=2")
    installed("wizard")

    rows = await stage.type("Ann", "wizard move 1 mailer pw AD")

    assert ["Refused: that isn't a move in Lie Die. Type /help liedie for the moves."] == rows
    assert stage.table(1).live


@pytest.mark.parametrize(
    "line",
    [
        "sit 1",
        "new ohell max=5",
        "join cafe -x",
        "tell bob I hold the ace",
        "set reader on",
        "password hunter2 hunter3",
        "kick bob 5m",
        "quit 1",
        "watch ohell",
        "resign yes",
        "queue KH",
        "mail ann@example.com",
    ],
)
async def test_command_without_its_slash_is_asked_about(line):
    stage = await table_of("ohell", "Ann", "bob", "Cat")
    who = "Ann"
    context = stage.context(who)
    means = read(line, context)

    assert isinstance(means, Ask), means
    assert f"Did you mean /{line}? Type 1 for that, or ' first to say it." == means.sentence


async def test_challenge_by_mail_without_its_slash_is_asked_about():
    stage = await table_of("wizard", "Ann", "bob", "Cat")
    context = stage.context("Ann")

    assert isinstance(read("wizard challenge -german barney wilma", context), Ask)
    assert isinstance(read("wizard challenge bob Cat", context), Ask)
    assert isinstance(read("wizard challenge accepted", context), Talk)
