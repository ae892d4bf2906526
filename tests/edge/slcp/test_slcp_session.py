"""A session of lily's clients: login, sync, leaves, prompts and control lines."""

from tests.lily_client import OPTIONS

PASSWORD = "plum-and-pear"


async def test_probe_is_not_shown_as_a_row(lily_place):
    """The telnet probe has begun a row behind the prompt; the options end it, which clients take anywhere in a row."""
    client = await (await lily_place())()
    await client.until(lambda: client.prompts)
    client.send(OPTIONS)
    await client.until(lambda: any(row.startswith("%server") for row in client.rows))

    options = " ".join(OPTIONS.split()[2:])
    assert [f"\xff\xfd\x18%options {options}", "%server name=lilygames version=2.6.4"] == client.rows[-2:]
    assert [OPTIONS.split()[2:]] == client.options
    assert [] == [row for row in client.plain if not row.isprintable()]


async def test_sync_introduces_everyone_before_the_first_line(lily_place):
    dial = await lily_place()
    await (await dial()).log_in("bob", "")
    client = await (await dial()).log_in("ann", "")
    start, end = client.rows.index("%SLCP-SYNC START"), client.rows.index("%SLCP-SYNC END")
    said = next(number for number, row in enumerate(client.rows) if row.startswith("You're in the lobby"))

    assert start < end < client.rows.index(f"%connected {client.whoami}") < said
    assert ("ann", "here") == (client.users[client.whoami]["NAME"], client.users[client.whoami]["STATE"])
    assert client.named("bob")["LOGIN"] != "0"
    assert client.named("lobby")["CREATION"] != "0"
    assert "*** Connected ***" in client.rows[:start]


async def test_place_with_spaces_in_its_name_is_told_with_dashes(lily_place):
    client = await (await (await lily_place("The Lily House"))()).log_in("ann", "")

    assert "The-Lily-House" == client.place
    assert "%server name=The-Lily-House version=2.6.4" in client.rows


async def test_every_question_for_a_secret_has_the_word_password(lily_place):
    dial = await lily_place()
    client = await (await dial()).log_in("ann", PASSWORD, PASSWORD)
    assert 2 == sum("password" in prompt for prompt in client.prompts)

    client.send("/password")
    await client.until(lambda: 3 == sum("password" in prompt for prompt in client.prompts))
    client.send(PASSWORD, "another-word-1")
    await client.until(lambda: 5 == sum("password" in prompt for prompt in client.prompts))
    client.send("another-word-1")
    await client.until(lambda: not client.open)
    assert "(your password has been changed)" == client.leaves["/password"][-1]


async def test_wrong_password_is_asked_for_again(lily_place):
    dial = await lily_place()
    (await (await dial()).log_in("ann", PASSWORD, PASSWORD)).writer.close()
    client = await (await dial()).log_in("ann", "wrong-word", PASSWORD)

    assert ["login: ", "password: ", "password: "] == client.prompts


async def test_name_and_password_on_one_line_log_in(lily_place):
    dial = await lily_place()
    (await (await dial()).log_in("ann", PASSWORD, PASSWORD)).writer.close()

    assert (await (await dial()).log_in(f"ann {PASSWORD}")).connected


async def test_each_command_has_a_leaf_of_its_own(lily_place):
    client = await (await (await lily_place())()).log_in("ann", "")
    await client.typed("/who", "hello", "/nonsense")

    assert "(1 person is here)" == client.leaves["/who"][-1]
    assert ["(nobody else is in lobby to hear it)"] == client.leaves["hello"]
    assert client.leaves["/nonsense"][0].startswith("Refused: ")
    assert ["%begin [1] /who", "%begin [2] hello", "%begin [3] /nonsense"] == [
        row for row in client.rows if row.startswith("%begin")
    ]


async def test_game_lines_are_outside_the_leaf_of_a_move(lily_place):
    """Other people's lines may come while a command runs, and a hand is the reader's own."""
    client = await (await (await lily_place())()).log_in("ann", "")
    await client.typed("/quick tally")

    await client.until(lambda: any("Your turn" in row for row in client.plain))
    assert not any("Your turn" in row for row in client.leaves["/quick tally"])


async def test_control_lines_are_answered_and_never_talk(lily_place):
    dial = await lily_place()
    client, other = await (await dial()).log_in("ann", ""), await (await dial()).log_in("bob", "")
    await client.typed()
    client.rows.clear()
    await client.typed(
        "#$# ping", "#$# ping echo a b", "#$# nonsense", "#$#", "#$# options +usertype +whoami", "#$# client"
    )
    await other.typed()

    assert ["%pong", "%pong a b", "%options +usertype -whoami"] == [row for row in client.rows if row != "%pong done"]
    assert [] == other.heard("public")


async def test_members_of_a_room_are_told_to_a_client_that_asks(lily_place):
    client = await (await (await lily_place())()).log_in("ann", "")
    await client.typed(f"#$# what {client.named('lobby')['HANDLE']}")

    assert f"%DATA SOURCE={client.named('lobby')['HANDLE']} NAME=members VALUE={client.whoami}" in client.rows


async def test_sync_can_be_asked_for_again(lily_place):
    client = await (await (await lily_place())()).log_in("ann", "")
    await client.typed("#$# slcp-sync")

    assert 2 == client.rows.count("%SLCP-SYNC END")


async def test_client_that_never_says_options_stays_on_telnet(lily_place):
    client = await (await lily_place())()
    await client.until(lambda: client.prompts)
    client.send("ann", "", "#$# ping")
    await client.until(lambda: any("SLCP clients" in row for row in client.rows))

    assert not any(row.startswith("%") for row in client.rows)


async def test_half_a_line_with_the_options_is_not_lost(lily_place):
    client = await (await lily_place())()
    await client.until(lambda: client.prompts)
    client.send(f"{OPTIONS}\r\nan".encode())
    await client.until(lambda: client.options)
    client.send("n", "")
    await client.until(lambda: client.connected)

    assert "ann" == client.users[client.whoami]["NAME"]


async def test_telnet_option_bytes_are_text_for_a_client_of_lily(lily_place):
    dial = await lily_place()
    client, other = await (await dial()).log_in("ann", ""), await (await dial()).log_in("bob", "")
    client.send(b"a \xff\xfd\x18 b\r\n")
    await client.typed("c")
    await other.typed()

    assert ["a ?? b", "c"] == [one["VALUE"] for one in other.heard("public")]
