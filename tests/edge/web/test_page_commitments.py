"""The page's hashes are those of Python, whether they come from the browser or from our own code."""

import hmac
from hashlib import sha256
from random import Random

import pytest

from lilygames.proofs import commitments
from tests.edge.web.javascript import needs_node, run

pytestmark = needs_node
OWN = """
import { hmac, sha256 } from "./sha256.js";
import { hex, unhex } from "./commitments.js";
const output = input.map(([key, bytes]) => [hex(sha256(unhex(bytes))), hex(hmac(unhex(key), unhex(bytes)))]);
"""
HASHES = """
{}
const {{ digest, keyed, hex, unhex }} = await import("./commitments.js");
const output = [];
const key = unhex("ab");
for (const [tag, parts] of input) output.push([await digest(tag, ...parts), hex(await keyed(key, tag, ...parts))]);
"""
WITHOUT_SUBTLE = 'Object.defineProperty(globalThis, "isSecureContext", { value: false });'
VALUES = [
    ("seal", ["00" * 32]),
    ("text", ["", "caf\u00e9", "\u2660 \U0001f0a1", 'quote " and \\ and /', "\x00\x08\x09\x0a\x0c\x0d\x1f\x7f\u2028"]),
    ("numbers", [0, -1, 2**53 - 1, True, False, None]),
    ("nested", [{"b": [1, {"d": 2, "c": []}], "a": {}, "": ""}, [[], {}]]),
    ("order", [{"\ufffd": 1, "\U0001f0a1": 2, "Z": 3, "a": 4, "10": 5, "9": 6, "aa": 7}]),
    ("lone", ["\ud800"]),
]


def test_own_sha256_and_hmac_are_those_of_hashlib(tmp_path):
    """Every length up to three blocks, where padding changes, and random inputs of other lengths."""
    random = Random(7)
    sizes = [*range(200), *(random.randrange(200, 5000) for _ in range(100)), 2**20]
    pairs = [(random.randbytes(random.choice((0, 1, 32, 63, 64, 65, 200))), random.randbytes(size)) for size in sizes]
    expected = [[sha256(data).hexdigest(), hmac.digest(key, data, "sha256").hex()] for key, data in pairs]

    assert expected == run(tmp_path, OWN, [(key.hex(), data.hex()) for key, data in pairs])


@pytest.mark.parametrize("before", ["", WITHOUT_SUBTLE], ids=["subtle", "own"])
def test_canonical_hashes_are_those_of_python(tmp_path, before):
    expected = [
        [commitments.digest(tag, *parts), commitments.keyed(b"\xab", tag, *parts).hex()] for tag, parts in VALUES
    ]

    assert expected == run(tmp_path, HASHES.format(before), VALUES)


def test_random_values_are_written_as_python_writes_them(tmp_path):
    random = Random(11)

    def text():
        units = [*range(0x20, 0x7F), *range(32), 0x7F, 0xE9, 0x2028, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]
        return "".join(map(chr, random.choices(units, k=random.randrange(6))))

    def value(depth):
        match random.randrange(6 if depth else 4):
            case 0:
                return text()
            case 1:
                return random.randrange(-(2**53) + 1, 2**53)
            case 2:
                return random.choice((True, False, None))
            case 4:
                return [value(depth - 1) for _ in range(random.randrange(4))]
            case _:
                return {text(): value(depth - 1) for _ in range(random.randrange(4) * bool(depth))}

    values = [value(4) for _ in range(2000)]
    script = 'import { canonical } from "./commitments.js";'
    script += "const output = input.map((one) => new TextDecoder().decode(canonical('x', one)));"

    assert [commitments.canonical("x", one).decode() for one in values] == run(tmp_path, script, values)


def test_number_that_javascript_would_change_keeps_its_digits(tmp_path):
    text = '{"a":[2.0,1e+16,-0.5,9007199254740993,0,-7],"b":"2.0 and \\"3.0\\"","c":{"2.0":1.5}}'
    script = 'import { json, parsed } from "./commitments.js"; const output = json(parsed(input));'

    assert text == run(tmp_path, script, text)


def test_inexact_number_is_refused(tmp_path):
    script = 'import { json } from "./commitments.js"; let output = "";'
    script += "try { json([input]); } catch (problem) { output = problem.name; }"

    assert "RangeError" == run(tmp_path, script, 0.5)


def test_published_vectors(tmp_path):
    """The first digits of the documented example: seal, T and both commitments."""
    script = """
    import { commitment, identity, sealOf, seatId } from "./commitments.js";
    const seal = await sealOf(input.secret);
    const table = await identity({ duplicate: "", number: 12, game: "ohell", version: 1, first: seal });
    const output = [seal, table, await commitment(table, 1, "bob", "11".repeat(32)),
      await commitment(table, 1, "carol", "22".repeat(32)), await seatId("bob", "33".repeat(16))];
    """
    found = run(tmp_path, script, {"secret": bytes(range(32)).hex()})

    assert ["b66eceeea0ba9e21", "7a7294396641e77e", "1658ce310adacf18", "31a1928e1498ce3a"] == [
        one[:16] for one in found[:4]
    ]
    assert commitments.seat_id("bob", b"\x33" * 16) == found[4]
