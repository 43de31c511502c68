// What is chosen further down, said beside the button that starts; and the cards that were drawn for
// the first deal, to tap. All of it is in the fields of the form.
"use strict";

const form = document.getElementById("start");

// --- Rounds and house rules ----------------------------------------------------------------------

const chosen = form.querySelector(".chosen");
const rules = form.querySelector(".rules > summary");
const differing = rules.querySelector(".noted");

function counted(words, number) {
  return number === 1 ? words.one : words.many.replace("{number}", number);
}

function tell() {
  const others = form.querySelectorAll('[name^="rule_"]:checked:not([value="0"])').length;
  differing.textContent = others ? counted(differing.dataset, others) : differing.dataset.usual;
  const length = form.querySelector('[name="length"]:checked')?.value;
  const number = Number(length === "other" ? form.elements.other_length.value : length);
  const rounds = length === "open" ? chosen.dataset.open : number && counted(chosen.dataset, number);
  const called = rules.firstChild.data.trim();
  chosen.textContent = [rounds, `${called}: ${differing.textContent}`].filter(Boolean).join(" · ");
}

// --- The draw ------------------------------------------------------------------------------------

const drawn = form.querySelector(".drawn");
const draws = [...drawn.querySelectorAll("select")].map((field) => ({
  field,
  id: field.id,
  number: field.labels[0].querySelector("span").textContent,
  name: document.getElementById(field.dataset.names),
}));
const turns = document.createElement("div");
const deck = document.createElement("div");
let turn = 0; // whose card is tapped, as a place among `draws`

function button(called, press) {
  const made = document.createElement("button");
  made.type = "button";
  made.setAttribute("aria-label", called);
  made.addEventListener("click", press);
  return made;
}

function face(card) {
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawing.setAttribute("class", "face");
  drawing.setAttribute("viewBox", "0 0 40 64");
  drawing.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(drawing.namespaceURI, "use");
  use.setAttribute("href", `${drawn.dataset.cards}#hf-${card}`);
  drawing.append(use);
  return drawing;
}

// Those who have a name; before there is any, everybody.
function drawing() {
  const named = draws.filter(({ name }) => name.value.trim());
  return named.length ? named : draws;
}

function next() {
  const open = drawing().find(({ field }) => !field.value);
  if (open) turn = draws.indexOf(open);
}

function take(card) {
  // A card is there once: whoever had it has drawn another one.
  for (const { field } of draws) if (field.value === card) field.value = "";
  draws[turn].field.value = card;
  next();
  show();
}

function show() {
  const there = drawing();
  if (!there.includes(draws[turn])) turn = draws.indexOf(there[0]);
  turns.replaceChildren(
    ...there.map((draw) => {
      const { field, id } = draw;
      const name = document.createElement("bdi");
      name.textContent = draw.name.value.trim() || draw.number;
      const made = button(`${name.textContent}: ${field.selectedOptions[0].text}`, () => {
        turn = draws.indexOf(draw);
        show();
        turns.querySelector('[aria-pressed="true"]').focus();
      });
      made.setAttribute("aria-pressed", draw === draws[turn]);
      made.append(field.value ? face(field.value) : "–", name);
      made.id = id; // where the top of the page leads
      return made;
    }),
  );
  for (const cell of deck.children) {
    const taken = draws.some(({ field }) => field.value === cell.value);
    cell.setAttribute("aria-pressed", taken);
  }
}

if (draws.length) {
  turns.className = "turns";
  turns.setAttribute("role", "group");
  turns.setAttribute("aria-label", drawn.dataset.whose);
  deck.className = "deck";
  for (const { field } of draws) field.removeAttribute("id");
  for (const { value, text } of draws[0].field.options) {
    if (!value) continue;
    const cell = button(text, () => take(value));
    cell.value = value;
    cell.append(face(value));
    deck.append(cell);
  }
  drawn.append(turns, deck);
  drawn.classList.add("tapped");
  next();
  show();
}

form.addEventListener("input", () => {
  tell();
  show();
});
tell();
