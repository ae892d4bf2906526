"""Lily's ways of sending: abbreviations, recalls, groups, corrections; and true answers to each."""

import pytest

from lilygames.chat.host import host
from lilygames.chat.names.name_lookup import Names, initials
from lilygames.chat.talk.talk import LONGEST, MOST
from lilygames.text import listing


async def heard(stage, name):
    """Return the lines that `name` has just been shown, without empty rows."""
    return [row for row in stage.screens[name].take() if row]


async def answered(stage, name, line):
    """Return what `name` is shown when they type a line, unwrapped."""
    return " ".join(" ".join(await stage.type(name, line)).split())


async def test_initials_and_parts_of_names_reach_people(stage):
    """An exact name comes first, then a beginning, then initials, then a part."""
    stage.enter("SourNomad")
    for name in ("sour", "sn", "NOMAD"):
        assert ["(message sent to SourNomad)"] == await stage.type("ann", f"{name};hi")


async def test_whole_name_is_that_person_whoever_else_logs_in(stage):
    """A newcomer never changes what an exact name means."""
    stage.enter("bobby")

    assert ["(message sent to bob)"] == await stage.type("ann", "bob;hi")


async def test_whole_name_of_an_absent_person_isnt_the_beginning_of_another(stage):
    stage.enter("bobby")
    stage.drop("bob")

    assert ["(bob is offline and will see it later)"] == await stage.type("ann", "bob;hi")


async def test_semicolon_alone_sends_to_the_same_people_again(stage):
    await stage.type("ann", "bob,cat;hi")

    assert ["(message sent to bob and cat)"] == await stage.type("ann", ";more")


async def test_colon_alone_answers_the_last_private_message(stage):
    await stage.type("bob", "ann;hi")

    assert ["(message sent to bob)"] == await stage.type("ann", ":hello")


async def test_equals_sign_sends_to_all_of_the_last_group(stage):
    await stage.type("bob", "ann,cat;hi")
    await heard(stage, "cat")

    assert ["(message sent to bob and cat)"] == await stage.type("ann", "=all;hello")
    assert [" >> Private message from ann to bob, cat:", " - hello"] == await heard(stage, "cat")


@pytest.mark.parametrize(
    "line",
    ["note: buy milk", "bob: hello", "12:30 is fine", ":)", ":-( well", ":D", ";-)", "=", "=) ha", "= 12", "see x; y"],
)
async def test_punctuation_without_a_name_is_talk(stage, line):
    await stage.type("bob", "ann,cat;hi")

    assert ["(message sent to lobby)"] == await stage.type("ann", line)


@pytest.mark.parametrize("line", [":Definitely", ":yes", "=all;yes", "=yes", ";yes", "bob,zoe:yes", "b:yes"])
async def test_private_message_is_never_said_to_everyone(stage, line):
    """That holds before anyone has sent anything, and for a name that fits nobody or several people."""
    stage.enter("bea")
    await heard(stage, "cat")
    (answer, *_) = await stage.type("ann", line)

    assert answer.startswith("Refused: ")
    assert [] == await heard(stage, "cat")


@pytest.mark.parametrize(
    ("line", "to"),
    [
        ("bob Ann;secret one", "bob,Ann"),
        ("bob ;secret", "bob"),
        ("bob, Ann;secret", "bob,Ann"),
        ("BOB , -lobby;secret", "BOB,-lobby"),
        ("bob ; secret", "bob"),
        ("bo an; secret", "bo,an"),
        ("bob xyzzy;secret", "bob"),
        ("hello bob;secret", "bob"),
        ("team cat;secret", "team,cat"),
        ("ann, bob:secret", "ann,bob"),
        ("Robert ;secret", "Robert"),
        ("bob\uff1bsecret", "bob"),
        ("bob: ann;secret", "bob,ann"),
        (":) bob;secret", "bob"),
    ],
)
async def test_private_message_is_not_said_to_everyone_because_of_a_space(stage, line, to):
    """Ann's name has a capital, and bob was Robert before."""
    stage.enter("Ann")
    stage.accounts.names.setdefault("robert", "Robert")
    await stage.type("cat", "/group team add bob")
    await heard(stage, "bob")

    assert (
        f"Refused: nothing was sent. For a message to {listing(to.split(','))} only, type {to};TEXT without "
        "spaces before the ;. To say it in lobby, type ' first."
    ) == await answered(stage, "cat", line)
    assert [] == await heard(stage, "bob")


async def test_private_message_with_a_space_is_not_said_at_a_table(stage):
    await stage.type("ann", "/new ohell private")
    await stage.type("ann", "/invite bob")
    await stage.type("bob", "/join ohell")
    await heard(stage, "bob")

    assert "Refused: nothing was sent." in " ".join(await stage.type("ann", "bob cat;I have the five"))
    assert [] == await heard(stage, "bob")


@pytest.mark.parametrize("line", [": secret", "= secret"])
async def test_reply_is_not_said_to_everyone_because_of_a_space(stage, line):
    await stage.type("bob", "ann,cat;hi")
    await heard(stage, "cat")

    assert "Refused: nothing was sent. To reply, leave out the space after" in await answered(stage, "ann", line)
    assert [] == await heard(stage, "cat")


@pytest.mark.parametrize(
    "line",
    [
        "I like it; really",
        "bob: hi",
        "note: buy milk",
        "well played bob ;)",
        "bob ;-)",
        "bob ;D",
        "thanks ann, bob :D",
        "I agree with bob; let's play",
        "no idea;really",
        "see you at 12:30",
        "bob 3:2",
        "\u6211\u559c\u6b22\uff1b\u771f\u7684",
        "'bob ;secret",
    ],
)
async def test_talk_with_a_semicolon_is_said(stage, line):
    assert ["(message sent to lobby)"] == await stage.type("cat", line)


@pytest.mark.parametrize("line", [";more", ":more", "=more", "team;more", "more"])
async def test_recall_never_reaches_a_person_with_a_similar_name(stage, line):
    """The first recipient has gone, and bobby is another person."""
    await stage.type("bob", "ann,cat;hi")
    await stage.type("ann", "bob;hi")
    await stage.type("ann", "/group team add bob")
    await stage.type("ann", "/send bob")
    stage.drop("bob")
    stage.accounts.names.pop("bob")
    stage.enter("bobby")
    await heard(stage, "bobby")

    assert "Refused: bob isn't here any more" in (await stage.type("ann", line))[0]
    assert [] == await heard(stage, "bobby")


async def test_reply_works_before_any_letter(stage):
    await stage.type("bob", "ann;hi")

    assert ["(message sent to bob)"] == await stage.type("ann", ":Did you see it?")


async def test_also_to_an_emote_discussion_is_acted_out(stage):
    await stage.type("bob", "/create stage emote")
    await stage.type("ann", "/join stage")
    await stage.type("ann", "lobby;grins")

    assert ["> (to stage) ann grins"] == await stage.type("ann", "/also -stage")


async def test_oops_sends_nothing_if_it_cannot_send_the_message(stage):
    """The apology goes out with the message, or neither does."""
    await stage.type("cat", "/create talk moderated")
    await stage.type("ann", "bob;I like cat")
    await heard(stage, "bob")

    assert ["Refused: talk is moderated. Type /ask talk to ask if you can speak."] == await stage.type(
        "ann", "/oops -talk"
    )
    assert [] == await heard(stage, "bob")


async def test_colon_after_a_name_sends(stage):
    assert ["(message sent to bob)"] == await stage.type("ann", "bob:hello")


async def test_me_is_a_note_to_yourself(stage):
    assert ["", " >> Private message from ann:", " - milk", "(message sent to ann)"] == await stage.type(
        "ann", "me;milk"
    )


async def test_also_sends_the_last_message_to_others(stage):
    await stage.type("ann", "bob;hi")

    assert ["(message sent to cat)"] == await stage.type("ann", "/also cat")
    assert [" >> Private message from ann:", " - hi"] == await heard(stage, "cat")


async def test_oops_apologizes_and_sends_the_message_to_the_right_person(stage):
    await stage.type("ann", "bob;I like cat")
    await heard(stage, "bob")
    await stage.type("ann", "/oops cat")

    assert " - oops, my last message was not meant for you" in await heard(stage, "bob")
    assert [" >> Private message from ann:", " - I like cat"] == await heard(stage, "cat")


async def test_plain_text_goes_to_a_default_send_list(stage):
    await stage.type("ann", "/send bob")

    assert ["(message sent to bob)"] == await stage.type("ann", "hello")
    await stage.type("ann", "/send off")
    assert ["(message sent to lobby)"] == await stage.type("ann", "hello")


async def test_group_is_a_name_for_several_people(stage):
    await stage.type("ann", "/group team add bob,cat")

    assert ["(message sent to bob and cat)"] == await stage.type("ann", "team;hello")
    await stage.type("ann", "/group team kill")
    assert "Refused: " in (await stage.type("ann", "team;hello"))[0]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("a" * 5 + ";hi", "no person or room is called"),
        (",".join(["bob"] * (MOST + 1)) + ";hi", f"a message can go to {MOST} names at most"),
        ("bob;" + "x" * (LONGEST + 1), f"that's {LONGEST + 1} characters, and the limit is {LONGEST}"),
        (";again", "you haven't sent a message yet"),
        ("/also cat", "you haven't sent a message yet"),
        ("/oops cat", "you haven't sent a message yet"),
        ("bob;\u202e\u200b", "your message is empty"),
        ("/group team del", "type /group NAME add NAMES,"),
    ],
)
async def test_impossible_send_is_refused_in_one_sentence(stage, line, said):
    (answer,) = [" ".join(await stage.type("ann", line))]

    assert answer.startswith("Refused: ")
    assert said in answer


async def test_send_is_formatted_once_for_all_who_read_it_the_same_way(stage, monkeypatch):
    """However many are in the room: with and without a timestamp makes two texts."""
    for n in range(200):
        stage.enter(f"reader{n}")
    await stage.type("cat", "/timestamp public on")
    worded, calls = host.worded, []
    monkeypatch.setattr(host, "worded", lambda *said, **how: calls.append(how) or worded(*said, **how))
    await stage.type("ann", "hello")

    assert [False, True] == [bool(how.get("stamp")) for how in calls]


@pytest.mark.parametrize(
    ("name", "letters"), [("SourNomad", "sn"), ("sour-nomad", "sn"), ("bob", ""), ("guest12", ""), ("ABTest", "at")]
)
def test_initials_are_those_of_the_words_in_a_name(name, letters):
    assert letters == initials(name)


class Thing:
    """An object with a name."""

    def __init__(self, name):
        self.name = name


def test_ten_thousand_names_are_found_by_any_part():
    """They are found by the whole name, a beginning, initials or a part, and can be removed again."""
    names = Names()
    for n in range(10_000):
        names[f"person{n}"] = Thing(f"person{n}")
    names["sournomad"] = Thing("SourNomad")

    kinds = [[thing.name for thing in kind] for kind in names.matching("sn")]
    assert [[], [], ["SourNomad"], []] == kinds
    assert ["person777"] == [thing.name for thing in next(names.matching("person777"))]
    assert ["SourNomad"] == [thing.name for thing in [*names.matching("rnom")][3]]
    names.pop("sournomad")
    assert [[], [], [], []] == [[*kind] for kind in names.matching("rnom")]
