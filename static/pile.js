// The pad for one pile, a word to the others that somebody is at it, and putting it in.
"use strict";

import { dropDraft, keepDraft, readDraft, readFields, writeFields } from "./draft.js";
import { pad } from "./pad.js";
import { save } from "./queue.js";

const AGAIN = 60_000; // milliseconds before the others are told once more

const form = document.getElementById("pile");
const words = document.getElementById("words").dataset;
const line = document.getElementById("said");
const place = form.dataset.draft;
let told = 0; // when the others were told
let typed = false; // whether anything was, on this page
let waits = false; // whether what is here was saved and waits for a connection

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
  typed = true;
  // It takes the place of the one that waits, once it is saved.
  waits = false;
  delete form.dataset.sent;
  line.textContent = "";
  keepDraft(place, readFields(form));
  form.dispatchEvent(new CustomEvent("redraw"));
  if (Date.now() - told < AGAIN) return;
  told = Date.now();
  begun(true);
});

addEventListener("pagehide", () => {
  if (told && !form.dataset.sent) begun(false);
  told = 0;
});

// --- Putting it in -------------------------------------------------------------------------------

form.addEventListener("submit", (event) => {
  if (event.submitter?.name !== "save") return;
  const about = { place, called: words.called, sign: "keyed", later };
  if (form.dataset.sent || save(form, about)) event.preventDefault();
});

function later() {
  if (!form.dataset.sent) return;
  waits = true;
  line.textContent = words.waiting;
}

document.addEventListener("scorekeeper:waiting", ({ detail }) => {
  if (detail.state !== "saved" || detail.key !== form.elements.key.value) return;
  if (waits) location.assign(detail.leads);
  else if (!typed) location.reload();
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && !waits) delete form.dataset.sent;
});

// --- Start ---------------------------------------------------------------------------------------

pad(form, words);
form.classList.add("fast");
form.style.setProperty("--above", `${form.offsetTop}px`);
// What was put in is with the server.
if ("in" in form.dataset) dropDraft(place);
else if ("fresh" in form.dataset) writeFields(form, readDraft(place) ?? {});
form.dispatchEvent(new CustomEvent("redraw"));
