"""HTML as values: nobody's words become markup."""

import pytest

from lilygames.sites.markup import document, h, joined


def test_text_and_attributes_are_escaped():
    element = h("a", {"href": '/u/"x', "title": "<i>"}, "<script>alert('x')</script>", 7, None, ["&", h("b", {}, "!")])
    assert '<a href="/u/&quot;x" title="&lt;i&gt;">&lt;script&gt;alert(\'x\')&lt;/script&gt;7&amp;<b>!</b></a>' == str(
        element
    )


def test_true_is_an_attribute_without_value_and_none_and_false_are_none():
    assert "<input disabled>" == str(h("input", {"disabled": True, "checked": False, "name": None}))


@pytest.mark.parametrize("name", ["style", "onclick", "ONLOAD", "a b", 'x"', ""])
def test_attribute_that_our_policy_blocks_or_that_isnt_a_name_is_refused(name):
    with pytest.raises(ValueError, match=r".*"):
        h("p", {name: "x"})


def test_element_needs_a_name():
    with pytest.raises(ValueError, match="p><script"):
        h("p><script")


def test_page_is_a_document_in_english():
    assert '<!doctype html>\n<html lang="en"><p>x</p></html>\n' == document(h("p", {}, "x"))
    assert "xy" == str(joined("x", "y"))
