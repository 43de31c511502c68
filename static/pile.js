// The pad for one pile, a word to the others that somebody is at it, and sending it once there is a
// connection.
"use strict";

import { dropDraft, keepDraft, readDraft, readFields, writeFields } from "./draft.js";
import { pad } from "./pad.js";

const AGAIN = 60_000; // milliseconds before the others are told once more
const RETRY = 3_000; // milliseconds between two tries without a connection

const form = document.getElementById("pile");
const words = document.getElementById("words").dataset;
const line = document.getElementById("said");
const place = form.dataset.draft;
let told = 0; // when the others were told
let waiting = false; // whether the pile is on its way
let timer = 0;

// --- Keying --------------------------------------------------------------------------------------

function begun(going) {
  const fields = new URLSearchParams();
  for (const name of ["csrf_token", "player", "number", "form"]) {
    fields.set(name, form.elements[name].value);
  }
  fields.set("begin", going ? "1" : "0");
  // Without a connection nobody hears of it, and the pile is still kept here.
  fetch(form.action, { method: "POST", body: fields, keepalive: true }).catch(() => {});
}

form.addEventListener("input", () => {
  keepDraft(place, readFields(form));
  form.dispatchEvent(new CustomEvent("redraw"));
  if (Date.now() - told < AGAIN) return;
  told = Date.now();
  begun(true);
});

addEventListener("pagehide", () => {
  if (told && !waiting) begun(false);
  told = 0;
});

// --- Sending -------------------------------------------------------------------------------------

form.addEventListener("submit", (event) => {
  if (event.submitter?.name !== "save" || form.dataset.refused) return;
  event.preventDefault();
  if (!waiting) send(event.submitter);
});

async function send(button) {
  clearTimeout(timer);
  waiting = true;
  const body = new URLSearchParams(new FormData(form));
  body.set("save", "1");
  let answer = null;
  try {
    answer = await fetch(form.action, { method: "POST", body });
  } catch {
    line.textContent = words.waiting;
    timer = setTimeout(send, RETRY, button);
    return;
  }
  // Whoever else answers, as the network of a hotel does, leads elsewhere.
  if (answer.redirected && new URL(answer.url).origin === location.origin) {
    dropDraft(place);
    location.assign(answer.url);
    return;
  }
  // Refused: the page that says why is the one that the button itself leads to.
  form.dataset.refused = "1";
  form.requestSubmit(button);
}

addEventListener("online", () => timer && send(form.querySelector(".bar [name=save]")));

// --- Start ---------------------------------------------------------------------------------------

pad(form, words);
form.classList.add("fast");
// What was put in is with the server.
if ("in" in form.dataset) dropDraft(place);
else if ("fresh" in form.dataset) writeFields(form, readDraft(place) ?? {});
form.dispatchEvent(new CustomEvent("redraw"));
