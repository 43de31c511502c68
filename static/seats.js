// Brings the piles that other phones keyed into the form of the round while it is filled in.
//
// A seat that nobody touched here takes its pile as soon as it comes in; one that was touched asks,
// unless all piles are in when the page is opened.
// The list of the piles is the part of the page that live.js keeps as it stands, with the fields of
// each pile; filling them in is one step that can be undone.
"use strict";

import { readFields, writeFields } from "./draft.js";

const form = document.getElementById("round");
const OWNED = /^(card|hand)-/;
const memory = `seats ${form.dataset.draft}`;

// What was filled in here of each player, to tell it from what somebody typed.
const filled = read();

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(memory)) ?? {};
  } catch {
    return {};
  }
}

function remember() {
  try {
    sessionStorage.setItem(memory, JSON.stringify(filled));
  } catch {
    // Then a pile that changes asks once more than needed.
  }
}

// What stands in the form of a player, without what is blank.
function standing(player) {
  const found = {};
  for (const [name, values] of Object.entries(readFields(form))) {
    const mine = OWNED.test(name)
      ? values.includes(player)
      : name.startsWith(`p${player}-`) && String(values);
    if (mine) found[name] = values;
  }
  return found;
}

const text = (fields) => JSON.stringify(Object.entries(fields).sort());

function fill(player, pile) {
  const blank = Object.fromEntries(
    Object.keys(readFields(form))
      .filter((name) => name.startsWith(`p${player}-`))
      .map((name) => [name, []]),
  );
  for (const name of Object.keys(standing(player))) blank[name] = OWNED.test(name) ? [""] : [];
  writeFields(form, { ...blank, ...pile });
  filled[player] = text(standing(player));
  remember();
}

// Whether this page was just opened, with all piles in; then they are what somebody comes to see, and
// stand in place of what was begun by hand before they came in.
let opened = "fresh" in form.dataset;

function tell(text) {
  const note = document.createElement("p");
  note.className = "warning";
  note.append(text);
  form.querySelector(".piles legend").after(note);
}

function look() {
  const seats = document.getElementById("seats");
  if (!seats) return;
  const whole = opened && seats.querySelector(".whole");
  opened = false;
  let changed = false;
  let replaced = false;
  for (const seat of seats.querySelectorAll("[data-pile]")) {
    const { player } = seat.dataset;
    const there = form.elements.form.value === seat.dataset.form;
    const here = Boolean(form.querySelector(`[name^="p${player}-"]`));
    const pile = JSON.parse(seat.dataset.pile);
    const now = standing(player);
    const equal = ([name, values]) => String(now[name]) === String(values);
    let same = there && Object.entries(pile).every(equal);
    const begun = text(now) !== text({});
    const earlier = whole && begun && !(player in filled);
    if (there && here && !same && (!begun || earlier || filled[player] === text(now))) {
      replaced ||= earlier;
      fill(player, pile);
      same = changed = true;
    }
    if (same) filled[player] ??= text(now);
    const take = seat.querySelector("[name=take]");
    if (take) take.hidden = same || !here;
    seat.classList.toggle("asks", !same && here);
  }
  if (changed) {
    const rest = form.querySelector(`[name="rest_to"][value="${seats.dataset.rest}"]`);
    if (rest) rest.checked = true;
    form.dispatchEvent(new Event("input"));
  }
  if (replaced) tell(seats.dataset.replaced);
}

// A tap takes the pile in place of what is here; in another form, the server turns the page round.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.('#seats [name="take"]');
  const seat = button?.closest("[data-pile]");
  if (!seat || seat.dataset.form !== form.elements.form.value) return;
  event.preventDefault();
  fill(seat.dataset.player, JSON.parse(seat.dataset.pile));
  form.dispatchEvent(new Event("input"));
});
document.addEventListener("scorekeeper:part", look);
form.addEventListener("redraw", look);
look();
