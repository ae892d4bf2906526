// Fair deals: the page's own number in each deck. nonces.js decides what to send, and is loaded when someone logs in.

import { load } from "/load.js";
import { sealWarning } from "/words.js";

const HEARD = ["you", "seal", "sealing", "voided", "table", "update"];

export function sealing(place) {
  let loading = null;

  async function nonces() {
    const { Nonces, Receipts, storageOf } = await load("/nonces.js");
    return new Nonces(new Receipts(storageOf(window), location.host));
  }

  return {
    paint() {},
    asked({ line }) {
      if (line) loading?.then((own) => own.typed(line));
    },
    async heard(packet) {
      if (!HEARD.some((name) => name in packet)) return;
      const own = await (loading ??= nonces());
      const { lines, warnings } = await own.hear(packet, place.state.name);
      for (const line of lines) place.ask({ line });
      for (const warning of warnings) place.state.say({ kind: "error", text: sealWarning(...warning) });
      if (warnings.length) place.draw();
    },
  };
}
