// Boards of cards: choose a player, then tap their cards, or swipe over them.
//
// A board is made from the plain list of cards with radio buttons, which stays the one place where
// it is written who has which card. A swipe begins after a few pixels to the side; its first card
// decides whether it marks or clears, and all of it is one step to undo.
"use strict";

const THRESHOLD = 8; // pixels before a touch is a swipe
const CORE = 0.7; // of a card, from its middle: what a swipe has to cross

export function boards(form, words) {
  for (const list of form.querySelectorAll(".owners")) board(form, words, list);
}

function board(form, words, list) {
  const cards = [...list.querySelectorAll(".card")];
  const hand = list.dataset.name === "hand";
  const named = form.classList.contains("by-named") && !hand;
  const seats = [...cards[0].querySelectorAll("input")]
    .filter((input) => input.value)
    .map((input, at) => ({
      id: input.value,
      name: input.getAttribute("aria-label"),
      letter: "ABCDEFG"[at],
      shade: `l${at + 1}`,
    }));
  const letter = (seat) => {
    const badge = document.createElement("b");
    badge.className = `letter ${seat.shade}`;
    badge.setAttribute("aria-hidden", "true");
    badge.append(seat.letter);
    return badge;
  };
  let active = seats[0];

  // --- The fields ---

  const owner = (card) => card.querySelector("input:checked")?.value ?? "";
  const give = (card, id) => {
    for (const input of card.querySelectorAll("input")) input.checked = input.value === id;
  };
  const commit = () => form.dispatchEvent(new Event("input"));

  // --- The cards ---

  const grid = document.createElement("div");
  grid.className = `grid g${cards.length}`;
  grid.setAttribute("role", "group");
  grid.setAttribute("aria-label", words.painting);
  const cells = cards.map((card, at) => {
    const cell = document.createElement("button");
    cell.type = "button";
    cell.className = "cell";
    cell.dataset.card = card.dataset.card;
    cell.tabIndex = at ? -1 : 0;
    cell.append(card.querySelector(".face").cloneNode(true));
    cell.firstChild.setAttribute("aria-hidden", "true");
    grid.append(cell);
    return cell;
  });
  const cardOf = (cell) => cards[cells.indexOf(cell)];

  function draw() {
    for (const [at, cell] of cells.entries()) {
      const card = cards[at];
      const seat = seats.find((one) => one.id === owner(card));
      const called = [card.getAttribute("aria-label"), card.dataset.kind, card.dataset.month];
      cell.className = `cell ${seat?.shade ?? ""}`;
      cell.setAttribute("aria-label", fill(seat ? words.owned : words.free, called, seat));
      cell.querySelector(".letter")?.remove();
      if (seat) cell.append(letter(seat));
    }
    for (const [at, button] of choices.entries()) {
      const chosen = seats[at] === active;
      button.setAttribute("aria-checked", chosen);
      button.tabIndex = chosen ? 0 : -1;
      const count = cards.filter((card) => owner(card) === seats[at].id).length;
      button.lastChild.textContent = hand
        ? words.hand.replace("{count}", count).replace("{size}", form.dataset.hand)
        : count;
    }
    drawRest();
  }

  // --- Whose cards are tapped ---

  const bar = document.createElement("div");
  bar.className = "seatbar";
  bar.setAttribute("role", "radiogroup");
  bar.setAttribute("aria-label", words.painting);
  const choices = seats.map((seat) => {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("role", "radio");
    const name = document.createElement("bdi");
    name.append(seat.name);
    const count = document.createElement("small");
    button.append(letter(seat), name, count);
    button.addEventListener("click", () => choose(seat));
    bar.append(button);
    return button;
  });

  function choose(seat) {
    active = seat;
    draw();
  }

  bar.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    choose(seats[(seats.indexOf(active) + step + seats.length) % seats.length]);
    choices[seats.indexOf(active)].focus();
  });

  const said = document.createElement("p");
  said.className = "said";
  said.setAttribute("role", "status");

  // --- Tapping and swiping ---

  function tap(card) {
    const before = seats.find((seat) => seat.id === owner(card));
    give(card, before === active ? "" : active.id);
    said.textContent =
      before && before !== active
        ? words.moved
            .replace("{card}", card.getAttribute("aria-label"))
            .replace("{from}", before.name)
            .replace("{to}", active.name)
        : "";
    commit();
  }

  let stroke = null;

  grid.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest(".cell");
    if (!cell || event.button) return;
    if (event.target.hasPointerCapture?.(event.pointerId)) {
      event.target.releasePointerCapture(event.pointerId);
    }
    stroke = { x: event.clientX, y: event.clientY, first: cell, before: cards.map(owner) };
  });
  addEventListener("pointermove", (event) => {
    if (!stroke) return;
    if (!("id" in stroke)) {
      const across = Math.abs(event.clientX - stroke.x);
      // A finger that goes up or down scrolls the page.
      if (across < THRESHOLD || across < Math.abs(event.clientY - stroke.y)) return;
      stroke.id = owner(cardOf(stroke.first)) === active.id ? "" : active.id;
      paint(stroke.first);
    }
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell");
    if (cell && cells.includes(cell) && crossed(cell, event)) paint(cell);
  });
  const finish = (event) => {
    const done = stroke;
    stroke = null;
    if (!done || !("id" in done)) return;
    if (event.type === "pointercancel") {
      cards.forEach((card, at) => give(card, done.before[at]));
      return draw();
    }
    commit();
    // The click that may follow a swipe is none.
    grid.dataset.swiped = "";
    setTimeout(() => delete grid.dataset.swiped);
  };
  addEventListener("pointerup", finish);
  addEventListener("pointercancel", finish);

  function paint(cell) {
    const card = cardOf(cell);
    if (stroke.id || owner(card) === active.id) give(card, stroke.id);
    draw();
  }

  function crossed(cell, { clientX, clientY }) {
    const { left, top, width, height } = cell.getBoundingClientRect();
    const off = Math.max(
      Math.abs(clientX - left - width / 2) / width,
      Math.abs(clientY - top - height / 2) / height,
    );
    return off <= CORE / 2;
  }

  grid.addEventListener("click", (event) => {
    const cell = event.target.closest(".cell");
    if (cell && !("swiped" in grid.dataset)) tap(cardOf(cell));
  });

  // --- By keyboard: arrows move, digits choose the player, space taps ---

  grid.addEventListener("keydown", (event) => {
    const at = cells.indexOf(event.target);
    if (at < 0) return;
    const seat = seats[Number(event.key) - 1];
    if (seat) return choose(seat);
    const columns = getComputedStyle(grid).gridTemplateColumns.split(" ").length;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    const to = cells[at + step];
    if (!step) return;
    event.preventDefault();
    if (!to) return;
    event.target.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  });

  // --- The rest, and the chaff beside named cards ---

  const tray = document.createElement("div");
  tray.className = "tray";
  const piles = named ? [...form.querySelectorAll(".pile")] : [];
  const chaffOf = (seat) =>
    piles.find((pile) => pile.dataset.player === seat.id)?.querySelector("[data-kind=chaff]");
  const marked = (seat) => cards.filter((card) => owner(card) === seat.id).length;

  // The cards that nobody is marked with go to one player by one tap; where only one has none yet,
  // they are the rest without it.
  function drawRest() {
    tray.querySelector(".rest-to")?.remove();
    if (hand || !("whole" in form.dataset)) return;
    const free = cards.filter((card) => !owner(card));
    const rest = restOf();
    if (rest) {
      const others = seats.filter((one) => one !== rest);
      const chaff = others.reduce((sum, one) => sum + (Number(chaffOf(one)?.value) || 0), 0);
      const count = free.length + (named ? 24 - chaff : 0);
      choices[seats.indexOf(rest)].lastChild.textContent = words.restShort.replace("{count}", count);
      return;
    }
    if (!free.length || seats.filter((seat) => !marked(seat)).length) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "rest-to";
    button.append(
      letter(active),
      words.rest.replace("{count}", free.length).replace("{name}", active.name),
    );
    button.addEventListener("click", () => {
      for (const card of free) give(card, active.id);
      commit();
    });
    tray.append(button);
  }

  // Who has whatever nobody is marked with: the only one without a card, or who was chosen.
  function restOf() {
    const empty = seats.filter((seat) => !marked(seat));
    if (empty.length === seats.length) return null;
    if (named) return "whole" in form.dataset && empty.length === 1 ? empty[0] : null;
    return seats.find((seat) => seat.id === form.elements.rest_to?.value) ?? null;
  }

  form.addEventListener("settled", ({ detail }) => {
    const told = named && detail.querySelector("[data-chaff]");
    if (!told) return;
    const chaff = JSON.parse(told.dataset.chaff);
    const rest = restOf();
    for (const row of tray.querySelectorAll(".chaff")) row.remove();
    const filled = [];
    const rows = [];
    for (const seat of seats) {
      const field = chaffOf(seat);
      const { counts, likely } = chaff[seat.id];
      const own = "filled" in field.dataset || field.value === "";
      const wanted = seat === rest || !marked(seat) ? "" : String(likely ?? "");
      if (own && field.value !== wanted) {
        // The likely number is there to be seen, and is settled again before it can be saved.
        field.value = wanted;
        field.dataset.filled = "";
        filled.push(field);
      }
      if (marked(seat) && seat !== rest) rows.push(chips(seat, field, counts, likely));
    }
    tray.prepend(...rows);
    if (filled.length) form.dispatchEvent(new CustomEvent("filled", { detail: filled }));
    draw();
  });

  function chips(seat, field, counts, likely) {
    const row = document.createElement("div");
    row.className = "chaff";
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", `${seat.name}: ${field.parentElement.textContent.trim()}`);
    const kind = document.createElement("small");
    kind.append(field.parentElement.querySelector("[lang]").cloneNode(true));
    row.append(letter(seat), kind);
    const middle = counts.indexOf(Number(field.value) || likely);
    const from = Math.max(0, Math.min(middle - 2, counts.length - 5));
    for (const count of counts.slice(from, from + 5)) {
      const chip = document.createElement("button");
      chip.type = "button";
      chip.append(count);
      chip.setAttribute("aria-pressed", String(field.value === String(count)));
      chip.addEventListener("click", () => {
        field.value = count;
        delete field.dataset.filled;
        commit();
      });
      row.append(chip);
    }
    return row;
  }

  for (const pile of piles) {
    const field = pile.querySelector("[data-kind=chaff]");
    field.addEventListener("input", () => delete field.dataset.filled);
  }

  // --- In place of the list ---

  list.classList.add("boarded");
  list.append(grid);
  if (hand) list.prepend(bar);
  else {
    const dock = document.getElementById("pad");
    dock.hidden = false;
    dock.append(said, tray, bar);
  }
  form.addEventListener("redraw", draw);
  draw();
}

function fill(text, called, seat) {
  return text.replace("{card}", called.join(", ")).replace("{name}", seat?.name ?? "");
}
