#!/usr/bin/env node
// Play a game at random with protocol 1 (/help machine): player.js PORT GAME. Exits with 0 at its end.
const net = require("node:net");
const readline = require("node:readline");

const [port, game] = process.argv.slice(2);
const wire = net.connect(Number(port), "127.0.0.1");
let ids = 0;
let number = 0;

const ask = (text) => wire.write(JSON.stringify({ id: ++ids, line: text }) + "\n");
const play = (moves) => {
  if (moves?.length) ask(`/at ${number} ${moves[Math.floor(Math.random() * moves.length)]}`);
};

wire.write("MACHINE\n");
["guest", "/set machine brief", `/quick ${game}`].forEach(ask);
readline.createInterface({ input: wire }).on("line", (row) => {
  if (!row.startsWith("{")) return; // a greeting comes before it
  const said = JSON.parse(row);
  if (said.hello && said.hello.protocol !== 1) throw new Error("this server speaks another protocol");
  if ("done" in said && said.error) console.log(said.done, said.error.code, said.error.text);
  if (said.table) {
    number = said.table.number;
    if (said.table.state === "over") {
      console.log("over");
      wire.end();
    }
  }
  play(said.moves?.moves);
  play(said.update?.moves?.moves);
});
wire.on("close", () => process.exit(0));
