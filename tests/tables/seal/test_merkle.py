"""The tree of RFC 6962: one root fixes every leaf."""

from hashlib import sha256

import pytest

from lilygames.tables.seal.merkle import Tree, leaf_hash, proves

SIZES = [1, 2, 3, 4, 5, 7, 8, 52, 65]


def leaves(size):
    return [leaf_hash(bytes([number])) for number in range(size)]


def by_definition(hashes):
    """Return the root as RFC 6962 defines it: split at the largest power of two below the size."""
    if len(hashes) == 1:
        return hashes[0]
    half = 1 << (len(hashes) - 1).bit_length() - 1
    return sha256(b"\x01" + by_definition(hashes[:half]) + by_definition(hashes[half:])).digest()


def test_known_root_of_the_certificate_transparency_test_data():
    """The tree of the single empty leaf, and of the first two, from the reference implementation's tests."""
    empty, zero = leaf_hash(b""), leaf_hash(b"\x00")

    assert "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d" == Tree([empty]).root.hex()
    assert "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125" == Tree([empty, zero]).root.hex()


@pytest.mark.parametrize("size", SIZES)
def test_root_is_that_of_the_definition(size):
    assert by_definition(leaves(size)) == Tree(leaves(size)).root


@pytest.mark.parametrize("size", SIZES)
def test_each_leaf_has_a_proof(size):
    tree = Tree(leaves(size))

    assert all(proves(tree.root, leaf, place, size, tree.proof(place)) for place, leaf in enumerate(tree.leaves))


@pytest.mark.parametrize("size", SIZES)
def test_proof_shows_no_other_leaf_or_place(size):
    tree = Tree(leaves(size))
    for place, leaf in enumerate(tree.leaves):
        proof = tree.proof(place)

        assert not proves(tree.root, leaf_hash(b"other"), place, size, proof)
        assert not any(proves(tree.root, leaf, other, size, proof) for other in range(-1, size + 1) if other != place)
        assert not proves(tree.root, leaf, place, size, (*proof, leaf))
        assert not proof or not proves(tree.root, leaf, place, size, proof[1:])
        assert not proves(bytes(32), leaf, place, size, proof)


def test_inner_node_cannot_pass_for_a_leaf():
    """A leaf's hash begins with another byte than a node's."""
    tree = Tree(leaves(4))
    left, right = tree.leaves[:2]

    assert leaf_hash(left + right) != Tree(leaves(2)).root
