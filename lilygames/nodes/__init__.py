"""Several server processes ("nodes") that act as one place. Each serves its own connections and follows the others.

Everything that must survive is in the store they share. The bus carries hints about what has changed. Each node also
checks the store once a second, so a lost hint costs time but never a game. Messages for people at another node are
numbered, and sent again if the bus loses them.

Any node serves anyone. The log decides: a move counts once it is appended, and two nodes can't append the same entry.
Everything else only saves time.

- A node **follows** the tables that it runs, and those where its people play, watch or are invited
  (`lilygames/nodes/interest.py`). Of all other tables it knows a small public row
  (`lilygames/tables/sight/public_row.py`). The row is stored with the mark that the table is open, in the same
  transaction as the move that changes it. A node that starts writes the rows of its tables again, twenty at once
  (`lilygames/store/postgres/swaps.py`).
- `lilygames/tables/open/remote_tables.py` holds those rows. A login, a command that names a table, a page of `/tables`
  or someone who enters a table's room makes the node follow a table. It leaves the table when nobody needs it any more.
- The node that wrote the row **runs** the table's bots and clocks: it serves people there. If that node stops, a hash
  of the table's number ranks the others (`lilygames/nodes/membership/heartbeat.py`).
- Each table has its own topic on the bus, so a hint about a move reaches only the nodes that follow the table. Each
  second a node checks the logs that it follows, in case a hint was lost (`lilygames/nodes/follow.py`). Each node
  counts its changes of rows in its heartbeat, so the others read all rows only if they missed one.
- A node keeps full `Person` objects only for some: those it serves, those in a room or at a table with them, and those
  who have friends or ignore others. For everyone else it keeps the short record that comes from their node
  (`lilygames/nodes/presence/remote_people.py`). It makes a `Person` from that record when one is needed, for example by
  a command that shows them in full (`lilygames/chat/people/distant.py`). Lists of people and seeks are made from the
  records alone.
- When someone changes, nodes with people in the same room are told at once. All others are told with the next
  heartbeat: one hint has all changes of two seconds (`lilygames/nodes/presence/presence_news.py`). For each person it
  has a short list, with an outline of a new profile (`lilygames/nodes/presence/presence_row.py`). The rest is parsed
  when someone looks at the person.
- Newcomers at all nodes enter the first lobby. When it is full, each node sends its newcomers to lobbies of its own
  (`lilygames/chat/rooms/lobbies.py`), so a node shares few rooms with the people of others.
- In a place of more than 500 people, news of a person is told only in their rooms and to friends (`Host.tell_about`).
- The row of a table that waits for players says who is there, who is invited, and how many seats are free. `/seeks`,
  `/tables` and the menus are made from rows. `/quick` follows a few tables where it could seat someone.
- One node, chosen by rank, mails a person. It also follows that person's slow games, and the tables where they are
  invited (`lilygames/chat/host/mail_turn.py`).
- A person's chips are at one table only. The rows say who has brought chips where, and a node reads those tables before
  it lets that person bring more (`lilygames/tables/open/stakes.py`).
- The node that directs a tournament follows all of its tables.
- All nodes store and send the same form (`FORM` in `lilygames/nodes/membership/heartbeat.py`). A node of another form
  is refused.
- Talk in a room with members at several nodes has **one order**: that of the room's log, which `/review` shows. The
  speaker's node first stores a message, then announces it with its position on the room's topic of the bus. Each node
  shows messages in the order of their positions, and reads what the bus has lost from the store.
  `lilygames/nodes/order/room_order.py` is the order as a value, and `lilygames/nodes/room_talk.py` does the rest. In a
  room whose members are all at one node, nothing waits. Messages to people or to several rooms have no position. They
  go to each node with a number per sender (`lilygames/nodes/order/numbered.py`), and so does all talk while nothing can
  be stored.
"""
