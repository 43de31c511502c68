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

// Drops the drafts of corrections of the same round that were made of an older revision.
export function dropStale(place) {
  const same = PREFIX + place.replace(/\d+$/, "");
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(same) && key !== PREFIX + place) localStorage.removeItem(key);
    }
  } catch {
    // There were none.
  }
}

// The number of the latest round before this one that was begun on this phone and never saved.
export function olderDraft(place) {
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

// --- On the scoreboard ---------------------------------------------------------------------------

const [, series] = location.pathname.match(/\/s\/([^/]+)/) ?? [];
const saved = new URLSearchParams(location.search).get("saved");
if (saved && document.querySelector(".saved")) dropDraft(`${series} ${saved}`);

const notes = document.querySelector(".notes");
if (notes) {
  const place = notes.dataset.draft;
  const draw = () => showNoted(notes, notes.dataset.none);
  writeFields(notes, readDraft(place) ?? {});
  draw();
  notes.hidden = false;
  notes.addEventListener("input", () => {
    keepDraft(place, { ...readDraft(place), ...readFields(notes) });
    draw();
  });
  notes.addEventListener("submit", (event) => event.preventDefault());
}
