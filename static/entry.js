// The fast way to enter a round, on top of the form that works without it.
//
// Everything here writes into the fields of that form. After every change the form is sent to the
// server as it stands, and what it comes to is shown above the Save button; saving sends the same
// form once more. Nothing is settled in here.
//
// The parts hear of each other through events of the form: "input" when a field was changed by a
// tap, "redraw" when what is shown must follow the fields, "settled" when the server has answered.
"use strict";

import { boards } from "./board.js";
import {
  corrections,
  keepDraft,
  offerOlder,
  readDraft,
  readFields,
  showNoted,
  writeFields,
} from "./draft.js";
import { months } from "./months.js";
import { pad } from "./pad.js";
import { newKey, numberAfter, numberKnown, ours, save, typed } from "./queue.js";

const PAUSE = 80; // milliseconds without a change before the server is asked
const RETRY = 5000; // milliseconds between two tries without a connection

const form = document.getElementById("round");
const words = document.getElementById("words").dataset;
const live = document.getElementById("live");
const followed = document.getElementById("follows"); // only where a round is corrected
const bar = form.querySelector(".bar");
let place = form.dataset.draft;

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
  if (correcting && form.dataset.sent) {
    // It is another correction than the one that waits, and takes its place once it is saved.
    waits = false;
    delete form.dataset.sent;
  }
  keepIt();
  undoing.disabled = !past.length;
  outdate();
  form.dispatchEvent(new CustomEvent("redraw", { detail: undone }));
  stayAwake();
  ask();
}

// The draft, which also says in which shape of the form it is.
function keepIt(use = form.elements.form.value) {
  keepDraft(place, { ...kept, ...now, use: [use] });
}

// Another shape of the form is another page; what is typed goes there in the draft.
function reshape(use, plays) {
  const to = new URLSearchParams([["use", use], ...plays.map((player) => ["plays", player])]);
  location.replace(`?${to}`);
}

// Whether a draft was begun in another shape, and is on its way there. Piles that other phones keyed
// decide the shape, and so does an address that names one.
function goesElsewhere(draft) {
  if (cut() || document.querySelector("#seats [data-pile]")) return false;
  if (new URLSearchParams(location.search).has("use")) return false;
  const use = draft.use?.[0] ?? form.elements.form.value;
  const plays = draft.plays ?? now.plays;
  if (use === form.elements.form.value && String(plays) === String(now.plays)) return false;
  keepDraft(place, draft);
  reshape(use, plays);
  return true;
}

// Who has left since, and who has come, may have no place in what was begun.
function withoutStrangers({ plays, ...fields }) {
  const here = new Set(Array.from(form.querySelectorAll('[name="plays"]'), (one) => one.value));
  const seats = form.dataset.seats.split(" ");
  const still = plays?.every((player) => here.has(player)) && seats.includes(`${plays.length}`);
  return still ? { plays, ...fields } : fields;
}

const OUTDATED = "h2, .amounts, .unit, .working, .warning, .follows";

// What an earlier answer said does not hold any more.
function outdate() {
  const result = document.getElementById("result");
  for (const old of result?.querySelectorAll(OUTDATED) ?? []) {
    old.remove();
  }
  if (result && !result.querySelector("fieldset, input")) result.remove();
  const wrong = document.getElementById("wrong");
  if (wrong) document.title = wrong.dataset.titled;
  for (const old of form.querySelectorAll("fieldset .refusal")) old.remove();
  wrong?.remove();
}

// --- Settling as it is filled in -----------------------------------------------------------------

let version = 0; // of what is typed
let shown = -1; // the version that the bar speaks of
let timer = 0;
let asking = false;
let offline = false;
let pressed = false; // whether Save was pressed before it was known what it saves
let waits = false; // whether what is here was saved and waits for a connection

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
  let heard = null;
  try {
    const answer = await fetch(location.href, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { Accept: "text/x-fragment" },
      redirect: "error",
      keepalive: true, // it may end after the page has gone, which nobody minds
    });
    heard = ours(await answer.text());
  } catch {
    // Nobody is there, which is as good as somebody else.
  }
  offline = !heard;
  asking = false;
  if (form.dataset.sent) return;
  if (heard?.dataset.token) {
    form.elements.csrf_token.value = heard.dataset.token;
    return settle();
  }
  if (about !== version) return settle();
  if (heard) show(heard);
  else say(words.offline);
  if (offline) timer = setTimeout(settle, RETRY);
  saving.hidden = heard ? !heard.classList.contains("savable") : false;
  form.dataset.state = offline ? "offline" : "settled";
  const tapped = pressed;
  pressed = false;
  if (offline && tapped) form.requestSubmit(saving);
}

function show(heard) {
  shown = version;
  live.replaceChildren(heard);
  followed?.replaceChildren(...heard.querySelectorAll(".follows"));
  form.elements.seen.value = heard.dataset.seen;
  // The page asks already, where it came back with a question.
  if (form.querySelector("#result [name=decision]")) {
    for (const double of live.querySelectorAll(".question, [name=decision]")) double.remove();
  }
  // A question that came with the answer is part of the form from now on.
  now = { ...readFields(form), ...now };
  form.dispatchEvent(new CustomEvent("settled", { detail: heard }));
}

function hint(text) {
  const line = document.createElement("p");
  line.className = "hint";
  line.textContent = text;
  return line;
}

function say(text) {
  live.replaceChildren(hint(text));
  followed?.replaceChildren();
}

// --- Saving --------------------------------------------------------------------------------------

const correcting = place.includes("correction");

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (form.dataset.sent) return event.preventDefault();
  if (button?.name === "use" || button?.name === "seat") {
    event.preventDefault();
    if (cut()) return say(words.needs);
    now = readFields(form);
    const use = button.name === "use" ? button.value : form.elements.form.value;
    keepIt(use);
    return reshape(use, now.plays);
  }
  if (button?.name === "preview" && offline) {
    event.preventDefault();
    return settle();
  }
  if (button?.name === "save") {
    // Never saved unseen; without a connection, settled when it is sent.
    const unseen = form.dataset.state && shown !== version;
    if (unseen && !offline) {
      event.preventDefault();
      pressed = true;
      return settle();
    }
    if (saves(!unseen)) return event.preventDefault();
  }
  form.dataset.sent = "1";
  clearTimeout(timer);
  now = readFields(form);
  keepIt();
});

// What a phone says of its network is not always so, but then no page is left for it.
const cut = () => offline || !navigator.onLine;

// Puts it among what waits, and has it sent; false where this phone can keep nothing.
function saves(sure) {
  const number = correcting ? null : numberHere();
  const called = words.round.replace("{number}", numberHere());
  const sign = correcting ? "corrected" : "saved";
  if (!save(form, { place, called, sign, number, later, sure })) return false;
  clearTimeout(timer);
  say(words.sending);
  return true;
}

// The next round can be entered; the next correction is of another round.
function later() {
  if (!correcting) return begin(numberAfter(numberHere() + 1));
  if (!form.dataset.sent) return;
  waits = true;
  say(words.waiting);
}

const numberHere = () => Number(form.elements.number.value);

// Begins another round on the same page, which a phone without a connection cannot load anew.
function begin(number) {
  place = place.replace(/\S+$/, number);
  kept = {};
  past.length = 0;
  undoing.disabled = true;
  for (const old of form.querySelectorAll("#result, #conflict, .refusal, .older")) old.remove();
  for (const field of [...form.elements]) empty(field);
  for (const part of form.querySelectorAll("details[open]")) part.open = false;
  if (!form.querySelector(".dealing .ask, .dealing .hint")) {
    form.querySelector(".dealing legend").after(hint(words.dealing));
  }
  form.elements.number.value = number;
  form.elements.key.value = newKey();
  const heading = document.querySelector("h1").firstChild;
  const round = words.round.replace("{number}", number);
  document.title = document.title.replace(heading.data.trim(), round);
  heading.data = `${round} `;
  saving.textContent = words.save.replace("{number}", number);
  saving.hidden = true;
  live.replaceChildren();
  version += 1;
  delete form.dataset.sent;
  delete form.dataset.state;
  form.dataset.fresh = "";
  takeUp();
  scrollTo(0, 0);
}

const KEPT = new Set(["csrf_token", "form", "plays", "teyaku_by"]);

// Nothing is typed any more; who deals is left to the series, which knows.
function empty(field) {
  if (KEPT.has(field.name) || field.tagName === "BUTTON") return;
  if (field.type === "radio") {
    field.checked = field.value === (field.name === "end" ? "counted" : "");
  } else if (field.type === "checkbox") {
    field.checked = false;
  } else if (field.type === "hidden" && field.name === "decision") {
    field.remove();
  } else {
    field.value = "";
    delete field.dataset.filled;
  }
}

addEventListener("pageshow", ({ persisted }) => {
  if (waits) return;
  // Back from where it was saved.
  if (persisted && form.dataset.sent && form.dataset.sent !== "1") {
    if (correcting) return location.reload();
    begin(numberAfter(numberKnown()));
  }
  delete form.dataset.sent;
});
addEventListener("online", () => form.dataset.state && !waits && settle());
document.addEventListener("scorekeeper:waiting", ({ detail }) => {
  if (detail.state !== "saved" || (form.dataset.sent && !waits)) return;
  const { key } = form.elements;
  const here = detail.key === key.value && String(detail.fields) === String(typed(form));
  // It waited, or another page of this phone has saved the very same.
  if (here && correcting) location.assign(detail.leads);
  else if (here) begin(numberAfter(numberKnown()));
  // The round that this page would correct is another one now.
  else if (correcting && detail.place === place && !past.length) location.reload();
  // What is settled here may rest on a round that waited.
  else if (form.dataset.state && !waits) ask();
});

// Others may have recorded this round: what Save would meet is said beside it, and not only above.
document.addEventListener("scorekeeper:news", () => {
  if (form.dataset.state && !form.dataset.sent) ask();
});

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
  if (event.target.closest("a[href='#follows']")) {
    // It is on this page, and no way back has to lead over it.
    event.preventDefault();
    followed.focus({ preventScroll: true });
    return followed.scrollIntoView();
  }
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
  saving.append(words.save.replace("{number}", numberHere()));
  bar.append(saving);
  bar.querySelector("[name=preview]").className = "plain";
}

// Teyaku are noted when they are shown; at the end of a round its piles come first.
const teyaku = form.querySelector("fieldset.teyaku");
teyaku?.before(form.querySelector(".piles"));

form.classList.add("fast");
form.addEventListener("input", changed);
form.addEventListener("change", changed);

function restore(draft) {
  const fields = withoutStrangers(draft);
  if (goesElsewhere(fields)) return;
  kept = fields;
  writeFields(form, fields);
  now = readFields(form);
  outdate();
  form.dispatchEvent(new CustomEvent("redraw"));
  ask();
}

pad(form, words);
boards(form, words);
months(form);

// What was begun when the round was another one goes on as that: the server shows both.
if (correcting && "fresh" in form.dataset) {
  place = corrections(place)[0] ?? place;
  form.elements.revision.value = place.match(/\d+$/)[0];
}

// What of this round is on this phone already.
function takeUp() {
  now = readFields(form);
  const draft = "fresh" in form.dataset ? readDraft(place) : null;
  if (draft) restore(draft);
  else form.dispatchEvent(new CustomEvent("redraw"));
  if (correcting) return;
  const older = offerOlder(place, words, restore);
  if (older) form.prepend(older);
}

if ("fresh" in form.dataset && !correcting) {
  // A page that is opened without a connection is an old one, whose key and number are used up.
  form.elements.key.value = newKey();
  const old = document.querySelector(".old:not([hidden])");
  const number = numberAfter(old ? Math.max(numberHere(), numberKnown()) : numberHere());
  if (number !== numberHere()) begin(number);
  else takeUp();
} else {
  takeUp();
}
