// Short, quiet tones, made here: no files. Browsers allow sound only after a click or a key.

const TUNES = { turn: [[659, 0], [880, 0.13]], talk: [[784, 0]], over: [[523, 0], [659, 0.14], [784, 0.28]] };
const LOUD = 0.3;
let context = null;

/** Play the tune for `turn`, `talk` or `over`; a browser that can't or won't stays silent. */
export async function play(what) {
  if (navigator.userActivation?.hasBeenActive === false) return;
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") await context.resume();
  } catch {
    return;
  }
  for (const [pitch, after] of TUNES[what]) tone(pitch, context.currentTime + after);
}

function tone(pitch, at) {
  const tone = new OscillatorNode(context, { type: "sine", frequency: pitch });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(LOUD, at + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.32);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + 0.35);
}
