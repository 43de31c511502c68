// The fast way to enter a round, on top of the form that works without it.
//
// Everything here writes into the fields of that form. After every change the form is sent to the
// server as it stands, and what it comes to is shown above the Save button; saving sends the same
// form once more. Nothing is settled in here.
//
// The parts hear of each other through events of the form: "input" when a field was changed by a
// tap, "filled" when one was filled in because of an answer, "redraw" when what is shown must follow
// the fields, "settled" when the server has answered.
"use strict";

import { boards } from "./board.js";
import {
  dropDraft,
  dropStale,
  keepDraft,
  olderDraft,
  readDraft,
  readFields,
  showNoted,
  writeFields,
} from "./draft.js";
import { months } from "./months.js";
import { pad } from "./pad.js";

const PAUSE = 80; // milliseconds without a change before the server is asked
const RETRY = 5000; // milliseconds between two tries without a connection

const form = document.getElementById("round");
const words = document.getElementById("words").dataset;
const live = document.getElementById("live");
const bar = form.querySelector(".bar");
const place = form.dataset.draft;

// --- Changes, undo, draft ------------------------------------------------------------------------

const past = [];
let now = readFields(form);
let kept = {}; // fields of the draft that this page does not show

function changed() {
  const fields = readFields(form);
  if (Object.keys(fields).every((name) => String(fields[name]) === String(now[name] ?? []))) return;
  past.push(now);
  now = fields;
  follow();
}

function undo() {
  if (!past.length) return;
  const before = now;
  now = past.pop();
  writeFields(form, now);
  const differs = ([name, values]) => String(values) !== String(before[name]);
  follow(Object.fromEntries(Object.entries(now).filter(differs)));
}

// Everything that is shown follows the fields; `undone` are those that have their old value again.
function follow(undone) {
  keepDraft(place, { ...kept, ...now });
  undoing.disabled = !past.length;
  outdate();
  form.dispatchEvent(new CustomEvent("redraw", { detail: undone }));
  stayAwake();
  ask();
}

// Another shape of the form is another page; what is typed goes there in the draft.
function reshape(button) {
  keepDraft(place, { ...kept, ...readFields(form) });
  const to = new URLSearchParams();
  to.set("use", button.name === "use" ? button.value : form.elements.form.value);
  for (const ticked of form.querySelectorAll('[name="plays"]')) {
    if (ticked.checked || ticked.type === "hidden") to.append("plays", ticked.value);
  }
  location.replace(`?${to}`);
}

// What an earlier answer said does not hold any more.
function outdate() {
  const result = document.getElementById("result");
  for (const old of result?.querySelectorAll("h2, .amounts, .unit, .working, .warning") ?? []) {
    old.remove();
  }
  if (result && !result.querySelector("fieldset, input")) result.remove();
  for (const old of form.querySelectorAll('.refusal[role="alert"]')) old.remove();
}

// --- Settling as it is filled in -----------------------------------------------------------------

let version = 0; // of what is typed
let shown = -1; // the version that the bar speaks of
let timer = 0;
let asking = false;
let offline = false;
let saveLater = false;

function ask() {
  version += 1;
  form.dataset.state = "open";
  clearTimeout(timer);
  timer = setTimeout(settle, PAUSE);
}

async function settle() {
  clearTimeout(timer);
  if (asking) return;
  asking = true;
  const about = version;
  let text = null;
  try {
    const answer = await fetch(location.href, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { Accept: "text/x-fragment" },
      keepalive: true, // it may end after the page has gone, which nobody minds
    });
    text = answer.ok ? await answer.text() : "";
    offline = false;
  } catch {
    offline = true;
  }
  asking = false;
  if (about !== version) return settle();
  if (text) show(text);
  else say(offline ? (saveLater ? words.waiting : words.offline) : words.stuck);
  if (about !== version) return; // the answer filled something in, and is asked about anew
  if (offline) timer = setTimeout(settle, RETRY);
  saving.hidden = !text ? !offline : !live.querySelector(".savable");
  form.dataset.state = offline ? "offline" : text ? "settled" : "stuck";
  if (text && saveLater) {
    saveLater = false;
    if (!saving.hidden) form.requestSubmit(saving);
  }
}

function show(text) {
  shown = version;
  live.innerHTML = text;
  const heard = live.firstElementChild;
  form.elements.seen.value = heard.dataset.seen;
  // The page asks already, where it came back with a question.
  if (form.querySelector("#result [name=decision]")) {
    for (const double of live.querySelectorAll(".question, [name=decision]")) double.remove();
  }
  // A question that came with the answer is part of the form from now on.
  now = { ...readFields(form), ...now };
  form.dispatchEvent(new CustomEvent("settled", { detail: heard }));
}

function say(text) {
  const line = document.createElement("p");
  line.className = "hint";
  line.textContent = text;
  live.replaceChildren(line);
}

// --- Saving --------------------------------------------------------------------------------------

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (button?.name === "use" || button?.name === "seat") {
    event.preventDefault();
    return reshape(button);
  }
  if (button?.name === "save" && shown !== version && form.dataset.state) {
    // Never saved unseen; without a connection, settled and saved as soon as there is one.
    event.preventDefault();
    saveLater = offline;
    if (offline) say(words.waiting);
    return settle();
  }
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "1";
  clearTimeout(timer);
  keepDraft(place, { ...kept, ...readFields(form) });
});

addEventListener("pageshow", () => {
  delete form.dataset.sent;
});
addEventListener("online", settle);

// --- What stops a round --------------------------------------------------------------------------

// Where a dekiyaku ended the round, with which one is asked right under whose it was.
function arrange() {
  const claims = form.querySelector(".claims");
  const ending = form.querySelector(".ending");
  if (!claims || !ending) return;
  const end = form.elements.end.value;
  const stopper = end === "stopped" ? (form.elements.stopped_by?.value ?? "") : "";
  if (end === "stopped" && claims.previousElementSibling !== ending) ending.after(claims);
  for (const part of claims.querySelectorAll("details")) {
    part.classList.toggle("stopper", part.dataset.player === stopper);
    if (part.dataset.player === stopper && form.dataset.stopper !== stopper) part.open = true;
  }
  form.dataset.stopper = stopper;
}

form.addEventListener("redraw", () => {
  arrange();
  showNoted(form, words.none);
});

// Piles are not asked for then, unless one of them decides what it is worth.
form.addEventListener("settled", ({ detail }) => {
  const { field } = detail.querySelector("[data-field]")?.dataset ?? {};
  if (field === "counts" || field === "captured") {
    form.querySelector(".piles").classList.add("needed");
  }
});

// --- Whatever the server proposes ------------------------------------------------------------------

live.addEventListener("click", (event) => {
  const taps = event.target.closest("[data-taps]")?.dataset.taps;
  if (!taps) return;
  for (const [name, value] of JSON.parse(taps)) {
    for (const one of form.querySelectorAll(`[name="${name}"]`)) {
      if (one.type !== "radio" && one.type !== "checkbox") one.value = value;
      else if (one.value === value) one.checked = true;
    }
  }
  changed();
});

// --- Awake while a round is entered ----------------------------------------------------------------

let lock = null;

async function stayAwake() {
  if (lock || document.hidden) return;
  try {
    lock = await navigator.wakeLock?.request("screen");
    lock?.addEventListener("release", () => (lock = null));
  } catch {
    lock = null; // Not allowed here, and not needed.
  }
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && past.length) stayAwake();
});

// --- Start -----------------------------------------------------------------------------------------

const undoing = document.createElement("button");
undoing.type = "button";
undoing.className = "undo";
undoing.disabled = true;
undoing.append(words.undo);
undoing.addEventListener("click", undo);
bar.prepend(undoing);

let saving = bar.querySelector("[name=save]");
if (!saving) {
  saving = document.createElement("button");
  saving.className = "main";
  saving.name = "save";
  saving.value = "1";
  saving.hidden = true;
  saving.append(words.save);
  bar.append(saving);
  bar.querySelector("[name=preview]").className = "plain";
}

// Teyaku are noted when they are shown; at the end of a round its piles come first.
const teyaku = form.querySelector(".teyaku");
teyaku?.before(form.querySelector(".piles"));

form.classList.add("fast");
form.addEventListener("input", changed);
form.addEventListener("change", changed);
form.addEventListener("filled", ({ detail }) => {
  // No step of its own: what it follows from can be undone.
  for (const field of detail) now[field.name] = [field.value];
  keepDraft(place, { ...kept, ...now });
  ask();
});

function restore(fields) {
  kept = fields;
  writeFields(form, fields);
  now = readFields(form);
  form.dispatchEvent(new CustomEvent("redraw"));
  ask();
}

// A round that was begun here and never acknowledged is not thrown away unasked.
function offer(number) {
  const older = place.replace(/ .*/, ` ${number}`);
  const note = document.createElement("p");
  note.className = "warning";
  note.append(words.older.replace("{number}", number), " ");
  for (const [text, taken] of [[words.take, true], [words.drop, false]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(text);
    button.addEventListener("click", () => {
      const { key, ...fields } = readDraft(older) ?? {};
      dropDraft(older);
      note.remove();
      if (taken) restore(fields);
    });
    note.append(button, " ");
  }
  form.prepend(note);
}

pad(form, words);
boards(form, words);
months(form);

// Of older corrections of these rounds nothing is left to keep.
if (place.includes("correction")) dropStale(place);

const draft = "fresh" in form.dataset ? readDraft(place) : null;
const older = /\d$/.test(place) && !place.includes("correction") ? olderDraft(place) : null;
if (draft) restore(draft);
else form.dispatchEvent(new CustomEvent("redraw"));
if (older !== null) offer(older);
