r"""The grammar of typed lines: what a line means here. One pure function decides it from a declared context.

`read(line, context)` returns a meaning and changes nothing; the dispatcher follows it. The context has what the person
can see. It has the tables that take their moves (none for spectators and in the lobby) and what these ask. It has the
menu and the invitation on their screen, the commands, the names of people, rooms and games, and who would hear talk.
The first rule that fits decides:

1. An open menu: its numbers and its keys stand for the lines that it shows, and `?` shows it again.
2. A move by mail (`wizard move 12 ID PASSWORD KH`): a move or a number at that table, and never anything else.
3. A mark: `/` begins a command, `'` talk, and `?ls` asks for help as data. `.`, `\` and a space begin a command if
   the next word is one.
4. At each table where they play, the likeliest first: a number answers the question, and a line that reads as a move
   in full is that move (`as_move`). This holds out of turn as well, so that a move is never told to the opponents.
5. A bare word that newcomers type: help, who, rules, quit.
6. `yes` and `no` answer an invitation.
7. A command without its slash: commands that only look are run for players. All others are asked about, if what
   follows is what a command takes: numbers, options, names that are known here, and words from its usage and its
   help. So `sit 12` and `new ohell max=5` are asked about, and `who is that?` is talk. Commands whose words are
   for fewer people than talk (`private`) are asked about sooner.
8. A line that is nothing but what a table expects (`h5`, `my jack`), if the player has a secret: see `Expected`. Out
   of turn only cards and dice are, and they are refused.
9. Everything else is talk.

Commands and moves that end a game, leave or pay are `whole`: no abbreviation reaches them, with a slash, without one,
or by mail. It is asked about instead. A question shows a menu, whose number makes the move or runs the command. The
move is for the entry of the log that it was offered at, and is refused at a later one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from difflib import get_close_matches
from typing import Literal, Protocol

import attrs

from lilygames import bymail
from lilygames.chat.input import help_data
from lilygames.chat.input.choices import Choices
from lilygames.commands import COMMON, Command, Misread, Several, Unknown, find
from lilygames.errors import UserError
from lilygames.help import Pages
from lilygames.text import listing, shortened

LOOKING = "every game"
"""Group of commands that only look at a table. They work without a slash while you have a seat."""
BARE = {"help": "help", "?": "help", "quit": "bye", "exit": "bye", "logout": "bye", "who": "who", "rules": "rules"}
"""Words that newcomers type without a slash, and their commands. Type `'who` to say "who" to others."""
_PAGES = ("help", "rules")
"""Bare words that may be followed by the name of a page."""
_EVERYDAY = frozenset("also ask away bye here how me oops send tell what where why".split())
"""Names of commands that often begin talk: without a slash they are that, unless their words are for fewer people."""
_QUEUE = "queue"
"""The command whose words are a move."""
ANSWERS: Mapping[str, str] = {"yes": "sit", "no": "decline"}
"""Answers to an invitation, and their commands."""
_SIGHS = frozenset({"ah", "as", "ad", "he", "none"})
"""Words that are also cards or dice; in capitals they are only that."""
_NUMBER = re.compile(r"#?\d+(?::\d+)?[smhd]?")
_MISTYPED = 3
"""Letters of the longest word that is taken for a mistyped card or number after a move's name."""
_RANKS = frozenset("akqjt")
_NEAR = 0.8
"""Similarity from which a longer one is taken for one of those words."""
_WRITTEN = (
    "zero one two three four five six seven eight nine ten eleven twelve ace aces king kings queen queens jack jacks"
    " tens nines eights sevens sixes fives fours threes twos heart hearts spade spades diamond diamonds club clubs"
    " wizard jester joker none all high low pair straight flush full house trips quads boat kind"
).split()
_OPTION = re.compile(r"-[a-z][\w-]*|[\w-]+=\S*", re.IGNORECASE)
_ADDRESS = re.compile(r"\S+@\S+\.\w+")
_SAY_IT, _TYPE_IT = "or ' first to say it.", "or type the whole word."
_SHORT, _LONG = 20, 60
"""Characters of a line that a refusal repeats in full, and of one that it shortens."""
_OFFERED = 4
"""Maximum moves that a question offers."""

Legal = Callable[[], Sequence[Command]]
"""Returns the commands of the legal moves; it is slow, so call it only if needed."""
Hearers = Literal["people", "bots", "nobody"]


class Spellings(Protocol):
    """The lines that a table expects of a person, in any usual spelling."""

    def moves(self, line: str) -> Sequence[str] | None:
        """Return the legal moves, as they are typed, that a whole line can mean; None if it says anything else."""


@attrs.frozen
class Expected:
    """A table's expectation of a person: the words of their answer, the log entry, and whether they have a secret.

    Out of turn, the words are only those that tell a secret.
    """

    words: Spellings
    seq: int
    secret: bool
    """Whether they know something that the others at the table don't, such as their cards."""
    asked: bool = True
    """Whether it is their turn."""


class Words(Protocol):
    """A table as a person's lines can address it."""

    @property
    def number(self) -> int:
        """The table's number."""

    @property
    def commands(self) -> Sequence[Command]:
        """The commands of all moves of the game; none for someone without a seat."""

    @property
    def plays(self) -> bool:
        """Whether the person has a seat and the game isn't over, so that bare lines can be moves."""

    def legal(self) -> Sequence[Command]:
        """Return the commands of the person's legal moves; it is slow."""

    def expected(self) -> Expected | None:
        """Return what the table expects of the person; None if nothing that they type counts there."""


@attrs.frozen
class Context:
    """Where a line is typed: everything that decides what it means."""

    commands: Sequence[Command]
    """All commands except the moves of the games."""
    by_name: Mapping[str, Command]
    """The same by their names."""
    pages: Pages
    tables: tuple[Words, ...] = ()
    """The tables that the line may be meant for, the likeliest first."""
    seated: bool = False
    """Whether the person has a seat at any table."""
    names: Container[str] = ()
    """The names of the people, rooms and games that are known here."""
    menu: Choices | None = None
    """The menu on the screen."""
    invitations: tuple[int, ...] = ()
    """The numbers of the tables that have invited the person."""
    invited: int = 0
    """The one of them that the screen has just told; 0 for none."""
    hearers: Hearers = "people"
    """The others who would hear talk."""
    room: str = ""
    """The room where talk goes."""


# Meanings.


@attrs.frozen
class Enter:
    """An empty line."""


@attrs.frozen
class ShowMenu:
    """Show the open menu again."""


@attrs.frozen
class Pick:
    """The line that a choice of the open menu stands for."""

    line: str


@attrs.frozen
class Data:
    """A client asks for a help page as data."""


@attrs.frozen
class Run:
    """Run a command with the rest of the line."""

    command: Command
    rest: str


@attrs.frozen
class Move:
    """Make a move at a table: one of the game's commands, and its arguments."""

    table: Words
    command: Command
    rest: str


@attrs.frozen
class Number:
    """Answer a table's question with a number."""

    table: Words
    digits: str


@attrs.frozen
class ByMail:
    """A move at another table, in the format of mail."""

    table: str
    line: str


@attrs.frozen
class Ask:
    """Ask whether one of these lines was meant."""

    lines: tuple[str, ...]
    sentence: str


@attrs.frozen
class Talk:
    """Say the text; `quoted` if it can't mean anything else."""

    text: str
    quoted: bool = False


Meaning = Enter | ShowMenu | Pick | Data | Run | Move | Number | ByMail | Ask | Talk


# Reading.


def read(line: str, context: Context) -> Meaning:
    """Return what a typed line means; raises `UserError`, `Several` or `Unknown` if it can't be done as it is."""
    return _from_menu(line, context) or _by_mail(line) or _marked(line, context) or _bare(line.strip(), context)


def _from_menu(line: str, context: Context) -> ShowMenu | Pick | None:
    """Return what a line means to the open menu; raises `UserError` for a number that it doesn't have."""
    if context.menu is None:
        return None
    if line.strip() == "?" and context.menu.rows:
        return ShowMenu()
    picked = context.menu.line(line)
    return Pick(picked) if picked else None


def _by_mail(line: str) -> ByMail | None:
    """Return a move by mail; raises `UserError` for one that can't be read: it may contain a password."""
    if not bymail.is_move(line):
        return None
    found = bymail.read(line)
    if found is None:
        raise UserError(bymail.usage(line))
    return ByMail(*found)


def _marked(line: str, context: Context) -> Meaning | None:
    """Return what an empty line or one with a mark means."""
    meant: Meaning | None = None
    match line[:1], line[1:]:
        case "/", rest:
            meant = command(rest, context)
        case "'", said:
            meant = Talk(said, quoted=True)
        case "?", _ if help_data.is_asked(line):
            meant = Data()
        case (("." | " " | "\\"), rest) if _begins_command(line[0], rest, context):
            meant = command(rest.lstrip(" /"), context)
        case _ if not line.strip():
            meant = Enter()
    return meant


def tiers(context: Context) -> tuple[Sequence[Command], ...]:
    """Return the commands in the order in which an abbreviation finds them: legal moves, other moves, the others."""
    first = next(iter(context.tables), None)
    return (first.legal(), first.commands, context.commands) if first else (context.commands,)


def _begins_command(mark: str, line: str, context: Context) -> bool:
    """Whether a line is a command. Some clients reserve `/`, so a dot or a space also works as a prefix."""
    word = line.lstrip("/").partition(" ")[0]
    try:
        found = find(word, *tiers(context))
    except Several:
        return mark != " "
    except Unknown:
        return mark == "\\"
    return mark != " " or word.casefold() in found.names


def command(line: str, context: Context, table: Words | None = None) -> Run | Move | Ask:
    """Return the command or the move at the start of a line without its slash; raises `Several` or `Unknown`.

    A full name matches moves at all tables of the person; an abbreviation only matches at the first. If they have named
    a `table`, it is the only one.
    """
    word, _, rest = line.strip().partition(" ")
    folded = word.casefold()
    for one in (table,) if table else context.tables:
        for move in one.commands:
            if folded in move.names:
                return Move(one, move, rest)
    if whole := context.by_name.get(folded):
        return Run(whole, rest)
    first = table or next(iter(context.tables), None)
    moves = first.commands if first else ()
    is_move = any(move.starts_with(folded) for move in moves)
    legal = first.legal() if first and is_move else ()  # spelling out thousands of moves takes 4 ms
    found = find(word, legal, moves, context.commands)
    if first and found in moves:
        return _ask_about_move(first, [_typed(found, rest)], _TYPE_IT) if found.whole else Move(first, found, rest)
    if found.whole:
        at = f"at {table.number} " if table else ""
        return _ask_about_command(f"/{at}{_typed(found, rest)}", _TYPE_IT)
    return Run(found, rest)


def _typed(found: Command, rest: str) -> str:
    return f"{found.name} {rest}".strip()


def at_table(line: str, table: Words) -> Move | Number | Ask | None:
    """Return what a bare line means at one table, or None for talk."""
    if not table.plays:
        return None
    if line.isdigit() and line.isascii():
        return Number(table, line)
    if found := as_move(line, table.legal, table.commands):
        return _ask_about_move(table, [f"{found[0].name} {line}"]) if also_talk(line) else Move(table, *found)
    if begun := _by_beginning(line, table.legal, table.commands):
        return _ask_about_move(table, [_typed(*begun)])
    return None


def _ask_about_move(table: Words, moves: Sequence[str], otherwise: str = _SAY_IT) -> Ask:
    """Ask whether one of these moves was meant, at the position that the person sees."""
    expected = table.expected()
    at = f"{table.number}:{expected.seq}" if expected else f"{table.number}"
    what = "to play it" if all(move.startswith("play ") for move in moves) else "for that"
    return _ask(tuple(f"/at {at} {move}" for move in moves), [f"/{move}" for move in moves], what, otherwise)


def _ask_about_command(line: str, otherwise: str = _SAY_IT) -> Ask:
    return _ask((line,), [line], "for that", otherwise)


def _ask(lines: tuple[str, ...], shown: Sequence[str], what: str, otherwise: str) -> Ask:
    meant = listing((shortened(one, _LONG) for one in shown), "or")
    numbers = listing(map(str, range(1, len(lines) + 1)), "or")
    return Ask(lines, f"Did you mean {meant}? Type {numbers} {what}, {otherwise}")


def _bare(line: str, context: Context) -> Meaning:
    """Return what a line without a mark means."""
    for table in context.tables:
        if meant := at_table(line, table):
            return meant
    if word := _bare_word(line, context):
        return command(word, context)
    return _answer(line, context) or _bare_command(line, context) or _secret(line, context) or _talk(line, context)


def _bare_word(line: str, context: Context) -> str:
    """Return the command line, without its slash, for a bare word; empty if it isn't one."""
    word, _, page = line.casefold().partition(" ")
    if word not in BARE or (page and not (word in _PAGES and context.pages.has(page))):
        return ""
    return f"{BARE[word]} {page}".strip()


def _answer(line: str, context: Context) -> Run | Ask | None:
    """Return what yes or no to an invitation means: it is asked about unless the invitation is the latest news."""
    verb = ANSWERS.get(line.casefold().rstrip(".!"))
    if verb is None or not context.invitations:
        return None
    if context.invited in context.invitations:
        return Run(context.by_name[verb], str(context.invited))
    lines = tuple(f"/{verb} {number}" for number in context.invitations)
    return _ask(lines, lines, "for that", _SAY_IT)


def _bare_command(line: str, context: Context) -> Run | Ask | None:
    """Return what a command without its slash means; None for talk."""
    word, _, rest = line.partition(" ")
    found = context.by_name.get(word.casefold())
    if found is None:
        return None
    words = rest.casefold().split()
    if context.seated and (found.group == LOOKING or found.name == "at") and _is_plain(found, words, context):
        return Run(found, rest)
    if not words:
        asks = context.seated and bool(found.group) and word.casefold() not in _EVERYDAY
    else:
        asks = _is_meant(found, words, context)
    return _ask_about_command(f"/{word.casefold()} {rest}".strip()) if asks else None


def _is_plain(found: Command, words: Sequence[str], context: Context) -> bool:
    """Whether only numbers and names follow a command, or anything after the table that /at names."""
    return all(_NUMBER.fullmatch(word) or word in context.names for word in words[: 1 if found.name == "at" else None])


def _is_meant(found: Command, words: Sequence[str], context: Context) -> bool:
    """Whether a command's name without a slash and these words after it are more than talk."""
    terms = [_is_term(found, word, context) for word in words]
    if found.name == _QUEUE:
        return any(table.plays and is_move(" ".join(words), table.commands) for table in context.tables)
    if found.private and (not found.arguments or _NUMBER.fullmatch(words[0]) or words[0] in context.names):
        return True
    if found.private and found.arguments[0].reads.rest:
        return bool(context.tables)  # nobody whispers elsewhere
    if not _EVERYDAY.isdisjoint(found.names):
        return False
    if found.group:
        return all(terms) or any(map(_OPTION.fullmatch, words))
    named = words[0] in found.keywords or words[0] in context.names  # a game, or a move without a seat
    return named and (all(terms) or any(map(_OPTION.fullmatch, words)))


def _is_term(found: Command, word: str, context: Context) -> bool:
    """Whether a word is one that this command takes, and not only talk."""
    is_written_so = _NUMBER.fullmatch(word) or _OPTION.fullmatch(word) or _ADDRESS.fullmatch(word)
    return bool(is_written_so) or word in found.keywords or word in context.names


def _secret(line: str, context: Context) -> Ask | None:
    """Ask about a line that is nothing but what a table expects, if the person has a secret there.

    Raises `UserError` if it can't be played now.
    """
    for table in context.tables:
        expected = table.expected() if table.plays else None
        moves = expected.words.moves(line) if expected and expected.secret else None
        if moves:
            return _ask_about_move(table, moves[:_OFFERED])
        if expected and moves is not None:
            why = "you can't play that now" if expected.asked else "it isn't your turn"
            raise UserError(f"{why}. Type ' first to say it.")
    return None


def _talk(line: str, context: Context) -> Talk:
    """Return talk; raises `UserError` for a command without its slash that nobody else would hear."""
    word, _, rest = line.partition(" ")
    if context.hearers != "people" and not (rest and context.hearers == "bots"):
        try:
            found = find(word, *tiers(context))
        except (Several, Unknown):
            return Talk(line)
        if word.casefold() in found.names:
            only = "only bots are" if context.hearers == "bots" else "nobody else is"
            say = f"'{line} to say it anyway" if len(line) <= _SHORT else "' first to say it anyway"
            raise UserError(f"{only} in {context.room}. Type /{word.casefold()} for the command, or {say}.")
    return Talk(line)


# Moves without a slash.


def is_move(line: str, commands: Sequence[Command]) -> bool:
    """Whether a line reads as a move in a game with these commands; a number does, too."""
    bare = line.removeprefix("/")
    return bare.isdigit() or as_move(bare, tuple, commands) is not None


def as_move(line: str, legal: Legal, commands: Sequence[Command]) -> tuple[Command, str] | None:
    """Return the command and arguments that a bare line reads as, or None for talk.

    A line is a move if its first word is a move's name, and the rest fits or is as long as what would fit and may be
    mistyped. The first word can also be a prefix of a move's name if the rest fits. Legal moves come first, and moves
    that must be typed in full have no prefix. A single word that a move takes as its argument (`KH`) is a move, too.
    """
    if named := _by_name(line, commands):
        return named
    begun = _by_beginning(line, legal, commands)
    return begun if begun and not begun[0].whole else _by_argument(line, commands)


def also_talk(line: str) -> bool:
    """Whether a bare line that reads as a move is also a common word; it is a card only in capitals."""
    return line.casefold() in _SIGHS and not line.isupper()


def _by_name(line: str, commands: Sequence[Command]) -> tuple[Command, str] | None:
    word, _, rest = line.partition(" ")
    named = next((command for command in commands if word.casefold() in command.names), None)
    if named is None:
        return None
    if fits(named, rest) and not any(argument.takes_anything for argument in named.arguments):
        return named, rest
    parts = [*map(_may_be_meant, rest.casefold().split())]
    may_be = (any(parts) or not rest) if fits(named, rest) else all(parts) and len(parts) <= len(named.arguments)
    return (named, rest) if may_be else None


def _may_be_meant(word: str) -> bool:
    """Whether a word after a move's name is a part of the move, perhaps mistyped, rather than talk (`play nice`)."""
    word = word.strip(".,!?")
    if not word.isalpha() or set(word) <= _RANKS or word in _WRITTEN:
        return True
    return word not in COMMON if len(word) <= _MISTYPED else bool(get_close_matches(word, _WRITTEN, 1, _NEAR))


def _by_beginning(line: str, legal: Legal, commands: Sequence[Command]) -> tuple[Command, str] | None:
    word, _, rest = line.partition(" ")
    folded = word.casefold()
    if not (rest and any(command.starts_with(folded) for command in commands)):
        return None
    try:
        begun = find(word, legal(), commands)
    except (Several, Unknown):
        return None
    return (begun, rest) if folded not in begun.names and fits(begun, rest) else None


def _by_argument(line: str, commands: Sequence[Command]) -> tuple[Command, str] | None:
    """Return the move whose argument a single word is; whole numbers are not handled here."""
    for command in commands:
        typed = [argument for argument in command.arguments if argument.reads.parse is not str]
        if len(command.arguments) == len(typed) == 1 and not line.isdigit() and fits(command, line):
            return command, line
    return None


def as_answer(digits: str, verb: str | None, commands: Sequence[Command]) -> tuple[Command, str] | None:
    """Return the command for a bare number that isn't a place in a list, or None if it is nothing.

    With a verb it is that verb's number. Otherwise a command may take digits that aren't a number, such as five dice.
    """
    if verb:
        return next((command, digits) for command in commands if command.name == verb)
    for command in commands:
        if len(command.arguments) == 1 and command.arguments[0].takes_digits and fits(command, digits):
            return command, digits
    return None


def fits(command: Command, rest: str) -> bool:
    """Whether a command takes these arguments."""
    try:
        command.read(rest)
    except Misread:
        return False
    return True
