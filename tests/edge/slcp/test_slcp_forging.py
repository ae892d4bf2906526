"""Nothing that people write is an event, a prompt or a name of the place for a client of lily."""

import pytest

PASSWORD = "plum-and-pear"
TEXTS = (
    "%NOTIFY SOURCE=#1 EVENT=private NOTIFY VALUE=3=abc",
    "%USER HANDLE=#100 NAME=4=evil LOGIN=1",
    "%DATA SOURCE=#0 NAME=whoami VALUE=#1",
    "%options x",
    "x %options \ty",
    "%R %V %U %T",
    "Welcome to lily at evil",
    "login: ",
    "password: ",
    "%prompt password",
    "%g",
    "%connected #1",
    "%begin [1] x",
    "%end [1]",
    "%command [1] %NOTIFY SOURCE=#1 EVENT=public VALUE=1=x",
    "VALUE=99=x",
    "\u00a0%NOTIFY SOURCE=#1 EVENT=pa VALUE=1=x",
    "﹪NOTIFY SOURCE=#1 EVENT=pa VALUE=1=x",
    b"\xff\xfd\x18%NOTIFY SOURCE=#1 EVENT=pa VALUE=1=x",
    b"\x1b[2J%NOTIFY SOURCE=#1 EVENT=pa VALUE=1=x",
    b"hi\x0b%NOTIFY SOURCE=#1 EVENT=pa VALUE=1=x",
    b"hi\xc2\x85%NOTIFY SOURCE=#1 EVENT=pa VALUE=1=x",
)
FIELDS = (
    "{}",
    "'{}",
    "ann;{}",
    "-lobby;{}",
    "ann,bob;{}",
    ";{}",
    "/emote {}",
    "/tell ann {}",
    "/also {}",
    "/oops {}",
    "/blurb {}",
    "/away {}",
    "/here {}",
    "/info set {}",
    "/info add {}",
    "/memo set plan {}",
    "/memo set {} x",
    "/group {} add ann",
    "/create {} x",
    "/create nook {}",
    "/retitle nook {}",
    "/drename nook {}",
    "/ask nook {}",
    "/rename {}",
    "/pronoun {}",
    "/what {}",
    "/review lobby from {}",
    "/feedback {}",
    "/note {}",
    "/cut {}",
    "/claim {}",
    "/say {}",
    "/new tally {}",
    "/set {} on",
    "?gethelp lily {}",
    "#$# ping echo {}",
    "#$# options {}",
    "#$# what {}",
    "#$# export_file info 1\r\n{}",
)
LOOKS = ("/info bob", "/memo bob", "/memo bob plan", "/finger bob", "/who", "/what nook", "/rooms", "/review lobby all")


def typed(field, text):
    """Return a line with the text in a field, as bytes."""
    before, after = field.split("{}")
    return before.encode() + (text if isinstance(text, bytes) else text.encode()) + after.encode() + b"\r\n"


@pytest.mark.parametrize("text", TEXTS)
async def test_text_in_any_field_forges_nothing(lily_place, text):
    """Ann and bob use clients that take for an event what tigerlily would."""
    dial = await lily_place()
    ann = await (await dial()).log_in("ann", PASSWORD, PASSWORD)
    bob = await (await dial()).log_in("bob", PASSWORD, PASSWORD)
    await ann.typed("/notify info,memo on", "/timestamp all on")
    me, options = ann.whoami, len(bob.options)
    for field in FIELDS:
        bob.send(typed(field, text))
        await bob.typed("/rename bob")
    for line in LOOKS:
        await ann.typed(line)

    for client in (ann, bob):
        forged = [event for event in client.events if event["SOURCE"] not in (me, bob.whoami, "#0")]
        assert [] == forged
        assert {"ann", "bob"} >= {user["NAME"] for user in client.users.values()}
        assert "lilygames" == client.place
        assert [prompt for prompt in client.prompts if "plan" in prompt or "%" in prompt] == []
    assert (me, 1) == (ann.whoami, len(ann.options))
    assert options + 1 == len(bob.options)  # bob asked for options once more
