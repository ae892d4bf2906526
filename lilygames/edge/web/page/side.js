// Beside the table: rooms and people. A click on a name shows what you can do.

import { button } from "/dialog.js";
import { keep, make, say } from "/dom.js";
import { withLoaded } from "/load.js";
import { words } from "/words.js";

const AGAIN = 20000;

export function side(place) {
  const rooms = document.querySelector("#rooms"), people = document.querySelector("#people");
  const ask = (details, get) => details.open && place.state.loggedIn && !document.hidden && place.ask({ get });
  for (const [details, get] of [[rooms, "rooms"], [people, "people"]]) {
    details.addEventListener("toggle", () => ask(details, get));
    setInterval(() => ask(details, get), AGAIN);
  }
  return {
    heard(packet) {
      if (packet.channels) ask(rooms, "rooms");
    },
    paint() {
      const { state } = place;
      rooms.hidden = people.hidden = !state.loggedIn;
      say(people.querySelector("h2"), words.peopleHere(state.people.length));
      keep(rooms.querySelector("ul"), state.rooms.map((one) => [`${one.name} ${one.people} ${one.member}`, () => room(place, one)]));
      keep(people.querySelector("ul"), state.people.map((one) => [`${one.name} ${one.away}`, () => person(place, one)]));
    },
  };
}

function room(place, { name, title, people, member }) {
  const change = async () => {
    await place.ask({ line: `/${member ? `quit ${name}` : `join ${name}`}` });
    place.ask({ get: "rooms" });
  };
  return make("li", { title }, make("span", {}, name, make("span.soft", {}, words.inRoom(people))), member
    ? button(words.talk, () => begin(`-${name};`), "button.link", { "aria-label": words.talkTo(name) }) : null,
  button(member ? words.leaveRoom : words.joinRoom, change, "button.link",
    { "aria-label": (member ? words.leaveRoomOf : words.joinRoomOf)(name) }));
}

function person(place, { name, away, guest }) {
  const open = () => withLoaded("/person.js", ({ person: about }) => about(place, name));
  return make("li", {}, button(name, open, "button.link", { "aria-haspopup": "dialog" }),
    make("span.soft", {}, [name === place.state.name && words.itsYou, guest && words.guest, away && words.away]
      .filter(Boolean).join(", ")));
}

/** Begin a line in the input field. */
export function begin(text) {
  const field = document.querySelector("#line");
  field.value = text;
  field.focus();
}
