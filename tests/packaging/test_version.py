"""Test that `lilygames --version` names the commit in a clone, a worktree, a wheel and an sdist."""

import subprocess
import tarfile

import pytest

import lilygames
from lilygames.server.process.version import STAMP, commit_of, long_version


@pytest.fixture
def git(tmp_path):
    """Run git in a folder of its own, and return the output."""

    def run(*words, cwd=tmp_path):
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b.example", *map(str, words)]
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True).stdout.strip()

    run("init", "--quiet", "clone")
    run("commit", "--quiet", "--allow-empty", "--message=one", cwd=tmp_path / "clone")
    return run


def head(git, folder):
    return git("rev-parse", "HEAD", cwd=folder)[:12]


def test_commit_of_a_clone_is_read(git, tmp_path):
    """From a branch, from packed references, and from a checked-out commit."""
    clone = tmp_path / "clone"
    assert head(git, clone) == commit_of(clone)

    git("pack-refs", "--all", cwd=clone)
    assert head(git, clone) == commit_of(clone)

    git("checkout", "--quiet", "--detach", cwd=clone)
    assert head(git, clone) == commit_of(clone)


def test_commit_of_a_worktree_is_its_own(git, tmp_path):
    """Its `.git` is a file, and the branches are in the clone."""
    git("worktree", "add", "--quiet", tmp_path / "other", cwd=tmp_path / "clone")
    git("commit", "--quiet", "--allow-empty", "--message=two", cwd=tmp_path / "other")

    assert head(git, tmp_path / "other") == commit_of(tmp_path / "other") != commit_of(tmp_path / "clone")


def test_commit_without_a_clone_is_unknown(tmp_path):
    """As in a copy of the files."""
    assert "" == commit_of(tmp_path)
    assert "0.2.0" == long_version("0.2.0", "")


def test_sdist_and_wheel_name_their_commit(root, built, unpacked, python, tmp_path):
    """The wheel is built from the sdist, where there is no clone."""
    expected = commit_of(root)
    with tarfile.open(next(built.parent.glob("*.tar.gz"))) as sdist:
        (name,) = [name for name in sdist.getnames() if name.endswith(STAMP)]
        assert f"{expected}\n".encode() == sdist.extractfile(name).read()

    said = python("-m", "lilygames", "--version", cwd=tmp_path, path=[unpacked])
    assert f"lilygames {long_version(lilygames.__version__, expected)}\n" == said


def test_version_is_in_one_place(root):
    """`pyproject.toml` reads it from the package."""
    assert 'dynamic = ["version"]' in (root / "pyproject.toml").read_text()
    assert [] == [
        path
        for path in [root / "pyproject.toml", root / "constraints.txt"]
        if lilygames.__version__ in path.read_text()
    ]
