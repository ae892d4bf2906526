"""Events as lily's clients get them: one notice each, with its sender, its recipients and its text."""

import pytest

PASSWORD = "plum-and-pear"


@pytest.fixture
async def two(lily_place):
    """Ann and bob, both registered, at clients of lily."""
    dial = await lily_place()
    ann = await (await dial()).log_in("ann", PASSWORD, PASSWORD)
    bob = await (await dial()).log_in("bob", PASSWORD, PASSWORD)
    await ann.typed()
    for one in (ann, bob):
        one.heard()
    return ann, bob


async def heard(two, line, *kinds):
    """Let bob type a line, and return what ann hears."""
    ann, bob = two
    await bob.typed(line)
    await ann.typed()
    return ann.heard(*kinds)


async def test_private_message_has_all_recipients(two):
    (event,) = await heard(two, "ann,bob;hi there", "private")

    assert ("bob", ["ann", "bob"], "hi there") == (event["by"], event["to"], event["VALUE"])


async def test_public_message_is_heard_by_all_but_its_sender(two):
    (event,) = await heard(two, "hello = 5", "public")

    assert ("bob", ["lobby"], "hello = 5") == (event["by"], event["to"], event["VALUE"])
    assert [] == two[1].heard("public")
    assert ["(message sent to lobby)"] == two[1].leaves["hello = 5"]


async def test_each_message_of_several_is_heard_once_by_all_but_its_sender(lily_place):
    """The first of each sender introduces them, and the bytes of the others are shared. A newcomer misses nobody."""
    dial = await lily_place()
    clients = [await (await dial()).log_in(name, "") for name in ("ann", "bob")]
    for number in range(3):
        for client in clients:
            await client.typed(f"line {number}")
    clients.append(await (await dial()).log_in("cat", ""))
    await clients[0].typed("/pronoun her", "line 3")
    await clients[1].typed("/rename robert", "line 4")
    for client in clients:
        await client.typed()
    said = [[(event["by"], event["VALUE"]) for event in client.heard("public")] for client in clients]

    assert [("bob", "line 0"), ("bob", "line 1"), ("bob", "line 2"), ("robert", "line 4")] == said[0]
    assert [("ann", f"line {number}") for number in range(4)] == said[1]
    assert [("ann", "line 3"), ("robert", "line 4")] == said[2]


@pytest.mark.parametrize(
    ("typed", "value"), [("grins", " grins"), ('"hi', ' says, "hi"'), ("'s dice fall", "'s dice fall")]
)
async def test_emote_has_the_words_behind_the_name(two, typed, value):
    (event,) = await heard(two, f"/emote {typed}", "emote")

    assert (["lobby"], value) == (event["to"], event["VALUE"])


async def test_blurb_is_in_the_tables_of_both(two):
    (event,) = await heard(two, "/blurb hungry", "blurb")
    assert "hungry" == event["VALUE"]
    assert ["hungry", "hungry"] == [one.named("bob")["BLURB"] for one in two]

    (event,) = await heard(two, "/blurb off", "blurb")
    assert event["EMPTY"]
    assert "VALUE" not in event
    assert ["", ""] == [one.named("bob")["BLURB"] for one in two]


async def test_own_acts_are_not_shown_twice(two):
    """The client's tables follow, and the printed answer is the confirmation."""
    await heard(two, "/blurb hungry")
    await heard(two, "/away")

    assert [] == two[1].heard("blurb", "away")
    assert "away" == two[1].named("bob")["STATE"]


async def test_away_and_here_with_a_blurb_change_state_and_blurb(two):
    (event,) = await heard(two, "/away supper", "away")
    assert "VALUE" not in event
    assert ("away", "supper") == (two[0].named("bob")["STATE"], two[0].named("bob")["BLURB"])

    await heard(two, "/here back", "here")
    assert ("here", "back") == (two[0].named("bob")["STATE"], two[0].named("bob")["BLURB"])


async def test_handle_stays_when_a_person_is_renamed(two):
    ann, _ = two
    handle = ann.named("bob")["HANDLE"]
    (event,) = await heard(two, "/rename robert", "rename")

    assert (handle, "robert") == (event["SOURCE"], event["VALUE"])
    assert [handle, handle] == [one.named("robert")["HANDLE"] for one in two]
    (event,) = await heard(two, "it is me", "public")
    assert handle == event["SOURCE"]


async def test_room_is_introduced_before_its_event(two):
    (event,) = await heard(two, "/create nook a nook", "create")

    assert (["nook"], "a nook") == (event["to"], two[0].named("nook")["TITLE"])
    assert "VALUE" not in event
    assert two[1].named("nook")


async def test_room_events_follow_it_to_its_end(two):
    ann, bob = two
    await heard(two, "/create nook a nook")
    await ann.typed("/join nook")
    await bob.typed()
    assert ["join"] == [event["EVENT"] for event in bob.heard("join", "public")]

    (event,) = await heard(two, "/retitle nook a better nook", "retitle")
    assert ("a better nook", "a better nook") == (event["VALUE"], ann.named("nook")["TITLE"])
    await heard(two, "/destroy nook", "destroy")
    assert ann.named("nook") is None
    assert bob.named("nook") is None


async def test_handle_stays_when_a_room_is_renamed(two):
    ann, bob = two
    await heard(two, "/create nook a nook")
    handle = ann.named("nook")["HANDLE"]
    (event,) = await heard(two, "/drename nook den", "drename")

    assert (handle, "den") == (event["RECIPS"], event["VALUE"])
    assert [handle, handle] == [one.named("den")["HANDLE"] for one in two]
    assert [None, None] == [one.named("nook") for one in two]
    await ann.typed("/join den", "-den;hi")
    await bob.typed()
    assert [["den"]] == [one["to"] for one in bob.heard("public")]
    assert ["den", "lobby", "tally"] == sorted(room["NAME"] for room in ann.rooms.values())


async def test_closed_room_is_gone_from_all_tables(two):
    """A new room of this name is another one."""
    ann, _ = two
    await heard(two, "/create nook a nook")
    handle = ann.named("nook")["HANDLE"]
    await heard(two, "/drename nook den")
    (event,) = await heard(two, "/destroy den", "destroy")
    assert handle == event["RECIPS"]
    assert ["lobby", "tally"] == [room["NAME"] for room in ann.rooms.values()]

    await heard(two, "/create nook a better nook")
    assert "a better nook" == ann.named("nook")["TITLE"]
    assert handle != ann.named("nook")["HANDLE"]


async def test_role_has_its_target_and_its_name(two):
    ann, _ = two
    await heard(two, "/create nook a nook")
    await ann.typed("/join nook")
    ann.heard()
    (event,) = await heard(two, "/appoint nook ann moderator", "appoint")
    assert (["ann"], ["nook"], "moderator") == (event["targets"], event["to"], event["SUBEVT"])

    (event,) = await heard(two, "/unappoint nook ann moderator", "unappoint")
    assert "moderator" == event["SUBEVT"]
    (event,) = await heard(two, "/depermit nook ann", "depermit")
    assert (["ann"], None) == (event["targets"], event.get("SUBEVT"))


async def test_private_room_is_unknown_until_one_may_see_it(two):
    ann, bob = two
    await heard(two, "/create den private a den")
    assert ann.named("den") is None
    assert bob.named("den")

    (event,) = await heard(two, "/permit den ann", "permit")
    assert (["ann"], ["den"]) == (event["targets"], event["to"])
    assert "a den" == ann.named("den")["TITLE"]


async def test_ignore_says_what_is_ignored(two):
    (event,) = await heard(two, "/ignore ann private", "ignore")
    assert "{private}" == event["VALUE"]

    assert await heard(two, "/unignore ann", "unignore")


async def test_pronoun_is_known_to_others_at_once(two):
    ann, _ = two
    assert [] == await heard(two, "/pronoun her", "sysmsg")

    assert "her" == ann.named("bob")["PRONOUN"]


async def test_person_who_leaves_can_not_be_expanded_any_more(two):
    ann, bob = two
    bob.send("/bye")
    await ann.until(lambda: any(event["EVENT"] == "disconnect" for event in ann.events))
    await ann.typed()
    (event,) = ann.heard("disconnect")

    assert "VALUE" not in event
    assert "0" == ann.named("bob")["LOGIN"]


async def test_lost_connection_says_why_without_brackets(two):
    ann, bob = two
    bob.writer.transport.abort()
    await ann.until(lambda: any(event["EVENT"] == "disconnect" for event in ann.events))
    (event,) = ann.heard("disconnect")

    assert "connection lost" == event["VALUE"]


async def test_marks_that_a_client_replaces_are_broken_in_notices_only(two):
    (event,) = await heard(two, "/blurb %R %V", "blurb")
    assert "% R % V" == event["VALUE"]

    (event,) = await heard(two, "ann;%R %V", "private")
    assert "%R %V" == event["VALUE"]


async def test_stamp_and_bell_are_the_readers_own(two):
    await two[0].typed("/signal public on", "/timestamp public on")
    (event,) = await heard(two, "hello", "public")

    assert (True, True) == (event["STAMP"], event["BELL"])


async def test_event_that_is_off_changes_the_tables_silently(two):
    ann, _ = two
    await ann.typed("/notify rename off")
    assert [] == await heard(two, "/rename robert", "rename")

    assert ann.named("robert")


async def test_memo_is_told_as_a_sentence(two):
    await two[0].typed("/notify memo on")
    (event,) = await heard(two, "/memo set plan x", "sysmsg")

    assert "*** bob has changed their memo plan ***" == event["VALUE"]


async def test_info_that_was_cleared_is_empty(two):
    await two[0].typed("/notify info on")
    await heard(two, "/info set hello")
    (event,) = await heard(two, "/info clear", "info")

    assert event["EMPTY"]


async def test_lines_of_info_and_memos_begin_with_a_star(two):
    ann, bob = two
    await bob.typed("/info set %NOTIFY SOURCE=#1 EVENT=private VALUE=1=x", "/memo set plan y")

    assert ["* %NOTIFY SOURCE=#1 EVENT=private VALUE=1=x"] == await ann.typed("/info bob")
    assert ["* y"] == await ann.typed("/memo bob plan")


async def test_client_stores_its_info_in_one_piece(two):
    ann, bob = two
    await bob.typed("#$# export_file info 2 ", "first line", "/who")
    assert "%export_file OKAY" in bob.rows
    assert not bob.leaves
    assert ["* first line", "* /who"] == await ann.typed("/info bob")

    await bob.typed("#$# export_file memo 5 1 tlilyStartup ", "%beep")
    assert ["* %beep"] == await bob.typed("/memo me tlilyStartup")
    for line in ("info 21", "info 1 lobby", "config 1 x", "memo 1", "info x"):
        bob.rows.clear()
        await bob.typed(f"#$# export_file {line}")
        assert "%export_file NO" in bob.rows


async def test_notice_is_the_same_bytes_for_all_who_hear_it_alike(two):
    ann, bob = two
    ann.rows.clear()
    await heard(two, "ann,bob;hi")

    def notices(client):
        return [row for row in client.rows if "EVENT=private" in row]

    assert notices(ann) == notices(bob)


async def test_review_is_in_the_leaf(two):
    ann, bob = two
    await bob.typed("hello")
    answer = await ann.typed("/review lobby")

    assert answer[0].startswith("(Beginning review: ")
    assert "# " == answer[1][:2]
    assert "#  - hello" == answer[-2]
    assert "(End of review)" == answer[-1]
