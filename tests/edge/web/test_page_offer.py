"""The page's rule about which position a click, tap or key was aimed at."""

import pytest

from tests.edge.web.javascript import needs_node, run

pytestmark = needs_node
SCRIPT = """
import { Offer } from "./offer.js";
let now = 1000;
globalThis.performance.now = () => now;
const heard = {};
const offer = new Offer({ addEventListener: (kind, listener) => (heard[kind] = listener) });
const steps = {
  show: (seq, table = 12) => offer.show({ number: table, seq }),
  wait: (some) => (now += some),
  down: () => heard.pointerdown({}),
  up: (detail) => heard.click({ detail }),
  click: (detail) => { heard.pointerdown({}); heard.click({ detail }); },
  press: () => heard.keydown({}),
  take: () => taken.push(offer.take()),
};
const taken = [];
for (const [step, ...values] of input) steps[step](...values);
const output = taken.map(({ table, seq }) => `${table}:${seq}`);
"""
CASES = {
    "click on a position that has been there": (["show", 5], ["wait", 300], ["click", 1]),
    "click as the position changes": (["show", 4], ["wait", 900], ["show", 5], ["wait", 100], ["click", 1]),
    "press before and release after the change": (
        ["show", 4], ["wait", 900], ["down"], ["wait", 50], ["show", 5], ["wait", 300], ["up", 1],
    ),
    "second click of a double click": (
        ["show", 4], ["wait", 900], ["click", 1], ["take"], ["show", 5], ["wait", 300], ["click", 2],
    ),
    "third click": (
        ["show", 4], ["wait", 900], ["click", 1], ["take"], ["show", 5], ["wait", 300], ["click", 2], ["take"],
        ["show", 6], ["wait", 300], ["click", 3],
    ),
    "next click elsewhere": (
        ["show", 4], ["wait", 900], ["click", 1], ["take"], ["show", 5], ["wait", 300], ["click", 1],
    ),
    "key as the position changes": (["show", 4], ["wait", 900], ["show", 5], ["wait", 100], ["press"]),
    "key on a position that has been there": (["show", 5], ["wait", 300], ["press"]),
    "key that clicks a button": (["show", 4], ["wait", 900], ["show", 5], ["wait", 100], ["press"], ["up", 0]),
    "click without a pointer": (["show", 4], ["wait", 900], ["show", 5], ["up", 0]),
    "first look at a table": (["show", 5], ["wait", 100], ["click", 1]),
    "look at another table": (["show", 5], ["wait", 900], ["show", 7, 13], ["wait", 100], ["click", 1]),
    "same position drawn again": (["show", 5], ["wait", 300], ["show", 5], ["wait", 10], ["click", 1]),
}  # fmt: skip
AIMED = {
    "click on a position that has been there": ["12:5"],
    "click as the position changes": ["12:4"],
    "press before and release after the change": ["12:4"],
    "second click of a double click": ["12:4", "12:4"],
    "third click": ["12:4", "12:4", "12:4"],
    "next click elsewhere": ["12:4", "12:5"],
    "key as the position changes": ["12:4"],
    "key on a position that has been there": ["12:5"],
    "key that clicks a button": ["12:4"],
    "click without a pointer": ["12:5"],
    "first look at a table": ["12:0"],
    "look at another table": ["13:0"],
    "same position drawn again": ["12:5"],
}


@pytest.mark.parametrize("case", CASES)
def test_choice_is_for_the_position_that_it_was_aimed_at(case, tmp_path):
    assert AIMED[case] == run(tmp_path, SCRIPT, [*CASES[case], ["take"]])
