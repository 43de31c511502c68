// What was saved on this phone, until the server has it: rounds, corrections, piles.
//
// Saving puts it here first, with all that it takes to send it from any page of the series:
//
//   key             its own, however often it is sent
//   place           where its draft was
//   to              where it is sent: the path of its page
//   called          what the list calls it
//   sign            what is in the address to which the server leads whose it has taken
//   number          of a new round: what comes after it rests on it
//   fields, seen    the form, and its figures as they were seen, if they were
//
// From here it is sent, in order, by whichever page of the series is open, and only what the server
// itself says takes it out again: that it has it, or why it refuses it. What is refused stays in
// sight until somebody opens or drops it; behind a round, all wait for that.
//
//   "not sent"   it never left this phone
//   "sending"    it left, and no answer has come: the server may have it, and is asked again
//   "saved"      the server said so
//
// Other scripts hear of each change in what is shown:
//
//   document.addEventListener("scorekeeper:waiting", ({ detail }) => detail.key, detail.state, ...)
"use strict";

import { dropDraft } from "./draft.js";

const PATIENCE = 8000; // milliseconds for an answer
const AGAIN = 5000; // milliseconds between two tries
const MOMENT = 1000; // milliseconds in which something is usually saved
const SLOW = 3000; // milliseconds for an answer, after which a page goes on without it
const LEASE = 4000; // milliseconds for which a page that fell asleep holds up the others
const REMEMBERED = 60000; // milliseconds for which other pages may hear that something was saved

const place = document.getElementById("waiting");
const words = place.dataset;
const prefix = `waiting ${words.series} `;

// --- What is kept --------------------------------------------------------------------------------

// Everything that is kept, in the order in which it is sent.
export function items() {
  const found = [];
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(prefix)) found.push(JSON.parse(localStorage.getItem(name)));
    }
  } catch {
    return []; // Nothing can be kept here, so nothing is.
  }
  return found.filter(Boolean).sort((a, b) => a.turn - b.turn);
}

const find = (key) => items().find((item) => item.key === key);

function put(item) {
  localStorage.setItem(prefix + item.key, JSON.stringify(item));
  draw();
}

// Changes what is kept of an item, unless it was dropped meanwhile, or saved anew with other fields.
function change(item, changes) {
  Object.assign(item, changes);
  if (String(find(item.key)?.fields) === String(item.fields)) put(item);
}

// Keeps an item to be sent; false where this phone can keep nothing.
function keep(item) {
  hushed = item.key;
  setTimeout(unhush, MOMENT, item.key);
  const all = items();
  const before = all.find(({ key, saved }) => key === item.key && !saved);
  try {
    // What is mended keeps its turn.
    put({ ...item, turn: before?.turn ?? 1 + Math.max(0, ...all.map(({ turn }) => turn)) });
    return true;
  } catch {
    return false;
  }
}

// What is typed in a form.
export const typed = (form) =>
  [...new FormData(form)].filter(([name]) => name !== "csrf_token" && name !== "seen");

// Saves what is in a form, and leads on from it, or opens it where it is refused; `later` is called
// where neither is known for a while. `sure` says that the server has settled it at this very
// moment. False where this phone can keep nothing.
export function save(form, { later, sure, ...about }) {
  const key = form.elements.key.value;
  const seen = sure ? form.elements.seen.value : "";
  const item = { key, to: location.pathname, fields: typed(form), seen, ...about };
  if (!keep(item)) return false;
  dropDraft(item.place);
  form.dataset.sent = key;
  const slow = new Promise((go) => setTimeout(go, SLOW));
  Promise.race([flush(key, sure), slow]).then(() => {
    const now = find(key);
    if (now?.saved) location.assign(now.leads);
    else if (now?.refused) open(now);
    else later();
  });
  return true;
}

// Drops an item, and sends those that waited behind it.
export function drop(key) {
  localStorage.removeItem(prefix + key);
  draw();
  look();
}

// The number of the round after all those that wait, or `number` where that is later.
export function numberAfter(number) {
  const open = items().filter((item) => item.number && !item.saved && !item.refused);
  return Math.max(number, ...open.map((item) => item.number + 1));
}

// The number after the last round that this phone knows to be saved.
export function numberKnown() {
  try {
    return Number(localStorage.getItem(`saved ${words.series}`) ?? 0) + 1;
  } catch {
    return 1;
  }
}

// A key as nobody else makes one; there is no randomUUID over plain http.
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// --- Sending -------------------------------------------------------------------------------------

// The part that our server answers with; null where somebody else answers, as the network of a
// hotel does.
export function ours(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  return page.querySelector("body > .heard[data-seen]");
}

const token = () => document.querySelector("[name=csrf_token]");

// What our server says to an item; null where nobody answers, or somebody else.
async function post(item, more) {
  const body = new URLSearchParams(item.fields);
  for (const [name, value] of Object.entries({ seen: item.seen, ...more })) body.set(name, value);
  body.set("csrf_token", token().value);
  const stop = new AbortController();
  const patience = setTimeout(() => stop.abort(), PATIENCE);
  try {
    const answer = await fetch(item.to, {
      method: "POST",
      body,
      headers: { Accept: "text/x-fragment" },
      redirect: "error",
      signal: stop.signal,
    });
    if (answer.status >= 500) return null;
    if (answer.status === 201) {
      const { href, pathname, searchParams } = new URL(answer.headers.get("Location") ?? "", location);
      const ours = pathname.startsWith(words.board) && searchParams.has(item.sign);
      return ours ? { leads: href, number: searchParams.get("saved") } : null;
    }
    const heard = ours(await answer.text());
    return heard && { heard, status: answer.status };
  } catch {
    return null;
  } finally {
    clearTimeout(patience);
  }
}

// Asks, and once more with another token where only that was wrong.
async function ask(item, more = {}) {
  const said = await post(item, more);
  const fresh = said?.heard?.dataset.token;
  if (!fresh) return said;
  for (const one of document.querySelectorAll("[name=csrf_token]")) one.value = fresh;
  return post(item, more);
}

function refuse(item, { heard, status }) {
  const why = heard.querySelector(".refusal, .warning, .hint, legend")?.textContent.trim();
  change(item, { tried: false, refused: why || words.look, status });
}

// Sends an item; whether those behind it may be sent, too. One that was never sent is settled
// first, so that it never leaves where nobody is there to take it; unless that was done just now.
async function send(item, sure) {
  if (!item.tried && !(sure && navigator.onLine)) {
    const said = await ask(item);
    if (!said?.heard) return false;
    if (!said.heard.classList.contains("savable")) {
      refuse(item, said);
      return true;
    }
    item.seen ||= said.heard.dataset.seen;
  }
  change(item, { tried: true });
  sending = item.key;
  draw();
  const said = await ask(item, { save: "1" });
  sending = null;
  if (said?.leads) {
    if (said.number) localStorage.setItem(`saved ${words.series}`, said.number);
    change(item, { tried: false, saved: Date.now(), leads: said.leads });
  } else if (said) {
    refuse(item, said);
  }
  draw();
  return Boolean(said);
}

let sending = null; // the key of what is on its way
let line = Promise.resolve();
let timer = 0;

// What is sent next; null where nothing is, or a round stands in the way.
function next() {
  const first = items().find((item) => !item.saved && (item.number || !item.refused));
  return first && !first.refused ? first : null;
}

// Sends what waits, in order. `sure` says that the server has settled the item with this key at
// this very moment.
function flush(key, sure) {
  const sendAll = async () => {
    for (let item = next(); item; item = next()) {
      if (!(await send(item, sure && item.key === key))) break;
    }
  };
  line = line
    .then(() => next() && alone(sendAll))
    .catch(() => {}) // The phone is full, say; it is tried again.
    .then(() => {
      unhush(key);
      announce();
      plan();
    });
  return line;
}

function plan() {
  clearTimeout(timer);
  if (next()) timer = setTimeout(() => flush(), AGAIN);
}

// One page of this phone at a time. The server would notice what comes twice; this keeps the
// order, and the labels true.
function alone(task) {
  if (navigator.locks) return navigator.locks.request(`sending ${words.series}`, task);
  return leased(task);
}

const pause = (time) => new Promise((go) => setTimeout(go, time));

// The same over plain http, where there are no locks.
async function leased(task) {
  const name = `sending ${words.series}`;
  const mine = newKey();
  const held = () => JSON.parse(localStorage.getItem(name) ?? "null");
  const hold = () => localStorage.setItem(name, JSON.stringify([mine, Date.now() + LEASE]));
  const free = () => held()?.[0] === mine && localStorage.removeItem(name);
  addEventListener("pagehide", free);
  let renewing;
  try {
    for (;;) {
      const [, until] = held() ?? [null, 0];
      if (until < Date.now() || until > Date.now() + LEASE) {
        hold();
        // Whoever else saw it free has written by then, and the last one has it.
        await pause(30);
        if (held()?.[0] === mine) break;
      }
      await pause(50 + 50 * Math.random());
    }
    renewing = setInterval(hold, LEASE / 4);
    await task();
  } finally {
    clearInterval(renewing);
    removeEventListener("pagehide", free);
    free();
  }
}

// --- What is shown -------------------------------------------------------------------------------

const list = place.querySelector("ul");
const told = place.nextElementSibling;
const states = new Map(); // what is shown of each item, by its key
const heard = new Map(); // what was announced of each
let hushed = null; // the key of what is being saved at this moment

function stateOf(item) {
  if (item.saved) return "saved";
  if (item.refused) return "refused";
  if (item.key === sending) return "sending";
  return item.tried ? "unanswered" : "unsent";
}

function draw() {
  // What was saved before this page was there is on it, and what is saved at once needs no list.
  const shown = items().filter((item) =>
    item.saved ? states.has(item.key) : item.key !== hushed,
  );
  const now = new Map(shown.map((item) => [item.key, stateOf(item)]));
  const same = ([key, state]) => states.get(key) === state;
  if (now.size === states.size && [...now].every(same)) return;
  states.clear();
  for (const [key, state] of now) states.set(key, state);
  list.replaceChildren(...shown.map(row));
  place.hidden = !shown.length;
  for (const item of shown) {
    const detail = { ...item, state: states.get(item.key) };
    document.dispatchEvent(new CustomEvent("scorekeeper:waiting", { detail }));
  }
}

function unhush(key) {
  if (hushed !== key) return;
  hushed = null;
  draw();
}

// Says once that something waits, and once what became of it: not each time that it is tried.
function announce() {
  const said = [];
  for (const item of items()) {
    const state = states.get(item.key);
    const told = state === "saved" || state === "refused" ? state : "waits";
    if (!state || heard.get(item.key) === told) continue;
    heard.set(item.key, told);
    said.push(text(item, state));
  }
  if (said.length) told.textContent = said.join(" ");
}

const text = (item, state) =>
  words[state === "saved" ? item.sign : state].replace("{what}", item.called);

function row(item) {
  const state = states.get(item.key);
  const line = document.createElement("li");
  line.dataset.state = state;
  const label = document.createElement("span");
  label.append(text(item, state));
  line.append(label);
  if (state !== "refused") return line;
  const buttons = document.createElement("p");
  buttons.className = "deal-with";
  // Where it is open in the form, that says why.
  if (document.querySelector("form:not([data-fresh]) > [name=key]")?.value !== item.key) {
    const why = document.createElement("p");
    why.className = "refusal";
    why.append(item.refused);
    line.append(why);
    // The form is no help to a phone that may not save.
    const out = [403, 404].includes(item.status);
    buttons.append(out ? button(words.again, () => again(item)) : opening(item));
  }
  buttons.append(dropping(item));
  line.append(buttons);
  return line;
}

const opening = (item) => button(words.open, () => open(item));

function button(text, tap) {
  const made = document.createElement("button");
  made.type = "button";
  made.append(text);
  made.addEventListener("click", tap);
  return made;
}

// What is dropped is gone, so it takes two taps.
function dropping(item) {
  const first = button(words.drop, () => {
    const second = button(words.really, () => drop(item.key));
    first.replaceWith(second);
    second.focus();
    setTimeout(() => second.isConnected && second.replaceWith(first), AGAIN);
  });
  return first;
}

function again(item) {
  change(item, { refused: undefined, status: undefined });
  flush();
}

// Opens an item in its form, with everything typed and what is wrong with it: the form is sent as it
// would be without script.
function open(item) {
  const form = document.createElement("form");
  form.method = "post";
  form.action = item.to;
  form.hidden = true;
  for (const [name, value] of [...item.fields, ["csrf_token", token().value], ["preview", "1"]]) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}

// --- When it is tried ----------------------------------------------------------------------------

const look = () => {
  if (next()) flush();
};

addEventListener("online", look);
addEventListener("pageshow", look);
addEventListener("storage", ({ key }) => {
  if (key !== null && !key.startsWith(prefix)) return;
  // Another page of this phone is at it, and may be closed before it is done.
  draw();
  plan();
});
document.addEventListener("visibilitychange", () => document.hidden || look());
document.addEventListener("scorekeeper:news", look);
document.addEventListener("scorekeeper:sign", ({ detail }) => detail.state === "live" && look());

for (const item of items()) {
  if (item.saved && Date.now() - item.saved > REMEMBERED) drop(item.key);
}
draw();
look();
