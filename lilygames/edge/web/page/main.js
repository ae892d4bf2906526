// The page: its parts, in the order in which they are drawn, and views that are loaded when someone opens them.

import { announcer } from "/announcer.js";
import { header } from "/header.js";
import { line } from "/line.js";
import { load } from "/load.js";
import { lobby } from "/lobby.js";
import { log } from "/log.js";
import { menu } from "/menu.js";
import { Place } from "/place.js";
import { apply } from "/prefs.js";
import { route } from "/route.js";
import { side } from "/side.js";
import { signals } from "/signals.js";
import { worker } from "/worker.js";

/** Each is a function of the place that returns `{ paint() }`, and may have `heard(packet)`, `changed(state)`, `asked(request)`. */
const PARTS = [header, menu, lobby, side, log, line, announcer, signals, worker, route];

/** Parts for those who play; they are loaded once the lobby has been drawn, and hear what came meanwhile. */
const AT_A_TABLE = () => load("/playing.js");

/** Each module exports `view(place)`, which returns `{ section, show(about), paint() }`; `place.open(name)` loads it. */
const VIEWS = {
  history: () => load("/history.js"),
  party: () => load("/party.js"),
  replay: () => load("/replay.js"),
  verify: () => load("/verify-view.js"),
};

apply();

new Place(`${location.protocol.replace("http", "ws")}//${location.host}/ws`, PARTS, VIEWS).begin(AT_A_TABLE);
