// What is typed, kept on this phone until the server has acknowledged it.
//
// On the scoreboard, what happens while a round is played is noted in the draft of the next round,
// and the draft of a round that was saved is dropped.
//
// A draft belongs to a place: a series and the number of a round, or a correction of one. It holds
// the fields of the form by name, each with the values that would be sent.
"use strict";

const PREFIX = "draft ";

export function readDraft(place) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + place));
  } catch {
    return null;
  }
}

export function keepDraft(place, fields) {
  try {
    localStorage.setItem(PREFIX + place, JSON.stringify(fields));
  } catch {
    // Without storage the page still works, only a reload forgets.
  }
}

export function dropDraft(place) {
  try {
    localStorage.removeItem(PREFIX + place);
  } catch {
    // There was none.
  }
}

// The places of corrections of a round that were begun on this phone and never saved, those of the
// newest revision first; `place` is that of any of them.
export function corrections(place) {
  const same = PREFIX + place.replace(/\d+$/, "");
  const revision = (key) => Number(key.slice(same.length));
  try {
    const found = Object.keys(localStorage).filter((key) => key.startsWith(same));
    found.sort((a, b) => revision(b) - revision(a));
    return found.map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

// The number of the latest round before this one that was begun on this phone and never saved.
function olderDraft(place) {
  const [series, number] = place.split(" ");
  const numbers = [];
  try {
    for (const key of Object.keys(localStorage)) {
      const [word, other, round, more] = key.split(" ");
      if (`${word} ` === PREFIX && other === series && !more && Number(round) < Number(number)) {
        numbers.push(Number(round));
      }
    }
  } catch {
    return null;
  }
  return numbers.length ? Math.max(...numbers) : null;
}

// A round that was begun here and never acknowledged is not thrown away unasked: answers what asks,
// where there is one; `take` gets its fields. `words` has the words "older", "take" and "drop".
export function offerOlder(place, words, take) {
  const number = olderDraft(place);
  if (number === null) return null;
  const older = place.replace(/ .*/, ` ${number}`);
  const note = document.createElement("p");
  note.className = "warning older";
  note.append(words.older.replace("{number}", number), " ");
  for (const [text, taken] of [
    [words.take, true],
    [words.drop, false],
  ]) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(text);
    button.addEventListener("click", () => {
      // Its key and its dealer were those of the other round.
      const { key, dealer, ...fields } = readDraft(older) ?? {};
      dropDraft(older);
      note.remove();
      if (taken) take(fields);
    });
    note.append(button, " ");
  }
  return note;
}

// --- A form as a value ---------------------------------------------------------------------------

// The page's own fields: they say what is typed nothing of.
const OWN = new Set(["csrf_token", "seen", "number", "revision", "form"]);

export function readFields(form) {
  const fields = {};
  for (const one of form.elements) {
    if (!one.name || OWN.has(one.name) || one.type === "submit" || one.type === "button") continue;
    fields[one.name] ??= [];
    if ((one.type === "radio" || one.type === "checkbox") && !one.checked) continue;
    fields[one.name].push(one.value);
  }
  return fields;
}

export function writeFields(form, fields) {
  for (const one of form.elements) {
    const values = fields[one.name];
    if (!values || OWN.has(one.name) || (one.type === "hidden" && one.name !== "key")) continue;
    if (one.type === "radio" || one.type === "checkbox") one.checked = values.includes(one.value);
    else if (one.type !== "submit" && one.type !== "button") one.value = values[0] ?? "";
  }
}

// Beside everything that is folded: what is ticked in it, by its kanji.
export function showNoted(within, none) {
  for (const part of within.querySelectorAll("details:has(.noted)")) {
    const ticked = [...part.querySelectorAll(".chip:has(:checked) [lang]")];
    const noted = part.querySelector(".noted");
    noted.textContent = ticked.map((one) => one.textContent).join(" ") || none;
    if (ticked.length) noted.lang = "ja";
    else noted.removeAttribute("lang");
  }
}

// --- On every page --------------------------------------------------------------------------------

// A second tap on the same button, while the first one is on its way, means nothing.
const MOMENT = 3000; // milliseconds
let tapped = { button: null, at: 0 };

document.addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  const again = tapped.button === event.submitter && Date.now() - tapped.at < MOMENT;
  if (again) event.preventDefault();
  else tapped = { button: event.submitter, at: Date.now() };
});

// Over https the pages open again without a connection: sw.js.
async function settleIn() {
  const { serviceWorker } = navigator;
  try {
    await serviceWorker.register(document.body.dataset.worker);
    if (serviceWorker.controller) return;
    // What this page is made of was loaded before there was anybody to keep it.
    const { active } = await serviceWorker.ready;
    const parts = performance.getEntriesByType("resource").map(({ name }) => name);
    active.postMessage([location.href, ...parts]);
  } catch {
    // Then they open with one, as over plain http.
  }
}

if (isSecureContext && navigator.serviceWorker) settleIn();

if (document.querySelector("time[datetime]")) import("./times.js");

// A part that is kept as the series stands is not old any more.
document.addEventListener("scorekeeper:sign", ({ detail }) => {
  if (detail.state === "live" && document.querySelector("[data-part]")) {
    document.querySelector(".old").hidden = true;
  }
});

// --- On every page of a series --------------------------------------------------------------------

// What waits on this phone is sent from wherever it is.
const [, series] = location.pathname.match(/\/s\/([^/]+)/) ?? [];
const waits = (name) => name?.startsWith(`waiting ${series} `);
if (document.getElementById("waiting")) {
  const look = () => import("./queue.js");
  addEventListener("storage", ({ key }) => waits(key) && look());
  try {
    sessionStorage.removeItem("join"); // the link that opened it, see join.js
    if (Object.keys(localStorage).some(waits)) look();
  } catch {
    // Nothing can wait here.
  }
}

// --- On the scoreboard ---------------------------------------------------------------------------

const saved = new URLSearchParams(location.search).get("saved");
if (saved && document.querySelector(".saved")) dropDraft(`${series} ${saved}`);

// The notes are part of what live.js keeps as the series stands: when another phone has recorded the
// round, they are those of the next one, and what was noted for the old round is offered to it. Once
// the series is over there are none, and it is only said that something of a round is left here.
const board = document.querySelector("[data-part]");

function showNotes() {
  const kept = board.querySelector(".kept");
  if (kept) {
    const { draft } = kept.dataset;
    kept.hidden = !readDraft(draft) && olderDraft(draft) === null;
  }
  const notes = board.querySelector(".notes");
  if (!notes) return;
  const place = notes.dataset.draft;
  notes.reset();
  writeFields(notes, readDraft(place) ?? {});
  showNoted(notes, notes.dataset.none);
  notes.querySelector(".older")?.remove();
  const note = offerOlder(place, notes.dataset, (fields) => {
    keepDraft(place, { ...readDraft(place), ...fields });
    showNotes();
  });
  if (note) notes.querySelector("h2").after(note);
}

if (board) {
  showNotes();
  board.classList.add("noting");
  board.addEventListener("input", ({ target }) => {
    const notes = target.closest(".notes");
    if (!notes) return;
    const place = notes.dataset.draft;
    const fields = { ...readDraft(place), ...readFields(notes) };
    if (Object.values(fields).some((values) => values.length)) keepDraft(place, fields);
    else dropDraft(place);
    showNoted(notes, notes.dataset.none);
  });
  board.addEventListener("submit", (event) => {
    if (event.target.closest(".notes")) event.preventDefault();
  });
  document.addEventListener("scorekeeper:part", showNotes);
}
