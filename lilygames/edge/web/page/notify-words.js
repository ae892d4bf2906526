// The texts of the dialog about push messages, which is loaded when someone opens it.

export const notifying = {
  title: "Messages in this browser",
  about: "When you're away and a slow game waits for you, this browser can tell you, even when the page is closed."
    + " A message names the game, the table and the players, but no cards.",
  looking: "Looking…",
  insecure: "Browsers allow messages only on a page with https://. This page came over http://, so you can't get them here."
    + " Type /mail or /push to be told in another way.",
  unsupported: "This browser can't get messages. On an iPhone or iPad, add the page to the home screen first.",
  guest: "Guests can't get messages. Type /register to keep your name first.",
  denied: "You've told this browser to block messages from this page. Allow them in its settings, then try again.",
  off: "This server doesn't send messages to browsers. Type /mail or /push to be told in another way.",
  failed: "That didn't work. Please try again later.",
  isOn: "This browser gets your messages.",
  isOff: "This browser doesn't get your messages.",
  start: "Notify me in this browser",
  stop: "Stop in this browser",
};
