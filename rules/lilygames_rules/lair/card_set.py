"""The card sets of Liar's Lair that come with the server, as text in the format of `lair.cards`.

We wrote them all. The two statements of a pair contradict each other, and nobody can look up which one is true.
"""

STANDARD = """
# Animals
Goats write the best postcards. | Goats write the worst postcards.
Owls pretend to be awake at night. | Owls never pretend to be awake at night.
Every herring is afraid of trumpets. | No herring is afraid of trumpets.
Moles vote in secret. | Moles vote by a show of paws.
A pelican can keep a secret. | A pelican cannot keep a secret.
Hedgehogs find jazz relaxing. | Hedgehogs find jazz upsetting.
Snails are proud of their handwriting. | Snails are ashamed of their handwriting.
Otters return library books early. | Otters never return library books.
A walrus is happiest on a bicycle. | A walrus is unhappiest on a bicycle.
Badgers believe in ghosts. | Badgers do not believe in ghosts.
Swans rehearse their entrances. | Swans improvise their entrances.
Beetles are bored by opera. | Beetles are moved to tears by opera.
Camels can smell a lie. | Camels cannot smell a lie.
Ducks know all the words to the song. | Ducks know none of the words to the song.
Bats prefer the window seat. | Bats prefer the aisle seat.
Geese forgive within a week. | Geese never forgive.
A newt dreams in colour. | A newt dreams in black and white.
Sheep count people to fall asleep. | Sheep count nothing to fall asleep.
Moths read the last page first. | Moths read the last page last.
Crabs laugh at their own jokes. | Crabs never laugh at their own jokes.
Penguins own at least one umbrella. | Penguins do not own umbrellas.
Hamsters know what day it is. | Hamsters have no idea what day it is.
Trout enjoy being read to. | Trout resent being read to.
Ravens collect unpaid bills. | Ravens pay their bills at once.
# Kitchen and cellar
Turnips improve the memory. | Turnips ruin the memory.
A pickled egg floats in rain. | A pickled egg sinks in rain.
Custard gets jealous of soup. | Custard is never jealous of soup.
Onions weep when nobody is looking. | Onions are calm when nobody is looking.
The first spoon was a mistake. | The first spoon was made on purpose.
Marmalade was meant for shoes. | Marmalade was never meant for shoes.
Leeks point north at midnight. | Leeks point south at midnight.
Cold porridge can be used as currency. | Cold porridge cannot be used as currency.
Noodles are shy before noon. | Noodles are bold before noon.
Radishes make loyal friends. | Radishes make treacherous friends.
Old cheese tells the truth. | Old cheese always lies.
Pancakes land on the side they like. | Pancakes land on the side they hate.
Vinegar settles family quarrels. | Vinegar starts family quarrels.
Jam remembers who made it. | Jam forgets who made it.
# House and garden
Left socks outlive right socks. | Right socks outlive left socks.
Ladders are lucky on Thursdays. | Ladders are unlucky on Thursdays.
Garden gnomes move when it snows. | Garden gnomes stand still when it snows.
An empty vase hums. | An empty vase is silent.
Doorbells ring more softly for cousins. | Doorbells ring more loudly for cousins.
Wallpaper listens. | Wallpaper does not listen.
Teapots are born with a lid. | Teapots grow a lid later.
A borrowed rake comes back heavier. | A borrowed rake comes back lighter.
Candles dislike birthdays. | Candles live for birthdays.
The attic is older than the house. | The attic is younger than the house.
Buttons leave home in spring. | Buttons leave home in autumn.
Mirrors get tired of Mondays. | Mirrors never get tired of Mondays.
Every carpet has a favourite foot. | Carpets treat all feet alike.
Umbrellas are lost on purpose. | Umbrellas are lost by accident.
Clocks run faster when praised. | Clocks run slower when praised.
A good chair sighs first. | A good chair sighs last.
# Town and country
The mayor of Plumley is a tuba. | The mayor of Plumley is no tuba.
Nobody in Grubb owns a left boot. | Everybody in Grubb owns a left boot.
The Duke of Wimple sleeps standing. | The Duke of Wimple sleeps lying down.
Lighthouses were built for moths. | Lighthouses were not built for moths.
It is rude to yawn at a bridge. | It is polite to yawn at a bridge.
The fog in Snell is made by hand. | The fog in Snell makes itself.
Postmen can hear stamps. | Postmen cannot hear stamps.
Pirates were strict about bedtime. | Pirates had no bedtime at all.
The trombone was a fishing tool. | The trombone was never a fishing tool.
Accordions attract lightning. | Accordions keep lightning away.
Dentists fear apples. | Dentists do not fear apples.
A fast tailor is a guilty tailor. | A fast tailor is an innocent tailor.
Bishops may not juggle at sea. | Bishops may juggle at sea.
The moon of Oddle is square. | The moon of Oddle is not square.
Snow in Brack falls upwards. | Snow in Brack falls downwards.
Ghosts are paid by the hour. | Ghosts work for nothing.
The best hats come from prison. | No hat comes from prison.
Thunder is louder in a cravat. | Thunder is softer in a cravat.
"""

PEOPLE = """
# Statements about people: WHO becomes the name of someone at the table.
WHO is fond of a drink. | WHO never touches a drink.
WHO cheats at croquet. | WHO never cheats at croquet.
WHO keeps a ferret in the piano. | WHO has no ferret in the piano.
WHO was once a trapeze artist. | WHO was never a trapeze artist.
WHO is afraid of lettuce. | WHO is not afraid of lettuce.
WHO owns the haunted mill. | WHO does not own the haunted mill.
WHO can sing underwater. | WHO cannot sing underwater.
WHO wrote the anonymous letters. | WHO wrote no anonymous letters.
WHO sleeps in a hammock. | WHO does not sleep in a hammock.
WHO has a twin in Grubb. | WHO has no twin in Grubb.
WHO stole the bishop's hat. | WHO did not steal the bishop's hat.
WHO talks to bees. | WHO does not talk to bees.
WHO paid for the fireworks. | WHO did not pay for the fireworks.
WHO is older than the church. | WHO is younger than the church.
WHO dyes that moustache. | WHO does not dye that moustache.
WHO won the ham in a raffle. | WHO did not win the ham.
WHO is a poor swimmer. | WHO is a fine swimmer.
WHO was seen on the roof. | WHO was never on the roof.
WHO reads other people's post. | WHO never reads other people's post.
WHO has married a count. | WHO has never married a count.
WHO knows where the spoons are. | WHO has no idea where the spoons are.
WHO wears two wigs. | WHO does not wear two wigs.
WHO can open any lock. | WHO cannot open a lock.
WHO would die for the goat. | WHO would not die for the goat.
"""

CAST = (
    "Baroness Oyster",
    "Captain Crumb",
    "Doctor Fennel",
    "Father Mallet",
    "Judge Pickerel",
    "Madam Thistle",
    "Nurse Gravel",
    "Uncle Tarpaulin",
)
"""Characters that players can be."""

SUBJECTS = (
    "Aunts", "Bakers", "Beavers", "Bell-ringers", "Cellists", "Chimney sweeps", "Clerks", "Cockatoos", "Comets",
    "Cooks", "Cousins", "Crickets", "Curates", "Dancers", "Donkeys", "Drummers", "Earwigs", "Ferrymen", "Finches",
    "Flamingos", "Gardeners", "Glaziers", "Gondoliers", "Guinea pigs", "Gulls", "Hatters", "Haddocks", "Hermits",
    "Jugglers", "Kangaroos", "Knights", "Lawyers", "Librarians", "Llamas", "Lobsters", "Magpies", "Mermaids",
    "Millers", "Mules", "Nephews", "Oboists", "Ostriches", "Oxen", "Painters", "Parrots", "Plumbers", "Poets",
    "Ponies", "Puffins", "Rabbits", "Sailors", "Scarecrows", "Sculptors", "Shepherds", "Sopranos", "Spies", "Squirrels",
    "Surgeons", "Tadpoles", "Toads", "Turtles", "Uncles", "Ushers", "Vampires", "Voles", "Weavers", "Wizards", "Yaks",
)  # fmt: skip
"""Subjects of generated statements; enough for each pair to have its own."""

CLAIMS = (
    ("can smell", "cannot smell"),
    ("would gladly eat", "would never eat"),
    ("may legally own", "may not legally own"),
    ("secretly admired", "secretly despised"),
    ("always voted for", "always voted against"),
    ("must bow to", "must never bow to"),
    ("grew larger near", "grew smaller near"),
    ("once apologised to", "never apologised to"),
    ("slept better beside", "slept worse beside"),
    ("can be bribed with", "cannot be bribed with"),
    ("took a name from", "took no name from"),
    ("could outrun", "could not outrun"),
    ("should be kept near", "should be kept away from"),
    ("learned to dance from", "learned nothing from"),
)
"""Verbs of generated statements with their opposites; they fit singular and plural subjects."""

THINGS = (
    "apricots", "bagpipes", "bathtubs", "bishops", "boiled cabbage", "brass bands", "bunting", "butlers", "canoes",
    "chutney", "clean towels", "cuckoo clocks", "damp sand", "dentists", "egg cups", "fireworks", "fog", "fresh paint",
    "gravel", "grey wool", "harpsichords", "helmets", "hot tar", "kites", "lampshades", "lighthouses", "loose change",
    "marzipan", "maypoles", "moonlight", "mustard", "old maps", "parsnips", "pirates", "porcelain", "prunes",
    "raincoats", "rhubarb", "sealing wax", "smoked eels", "string", "tall hats", "tin whistles", "trousers",
    "turpentine", "wax fruit", "wet hay", "windmills",
)  # fmt: skip
"""Objects of generated statements."""
