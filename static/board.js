// Boards of cards: choose a player, then tap their cards, or swipe over them.
//
// A board is made from the plain list of cards with radio buttons, which stays the one place where
// it is written who has which card. A swipe begins after a few pixels to the side; its first card
// decides whether it marks or clears, and all of it is one step to undo.
"use strict";

const THRESHOLD = 8; // pixels before a touch is a swipe
const CORE = 0.7; // of a card, from its middle: what a swipe has to cross
const CHIPS = 5; // numbers of chaff in a row

export function boards(form, words) {
  for (const list of form.querySelectorAll(".owners")) board(form, words, list);
}

function board(form, words, list) {
  const cards = [...list.querySelectorAll(".card")];
  const hand = list.dataset.name === "hand";
  const named = form.classList.contains("by-named") && !hand;
  const seats = [...cards[0].querySelectorAll("input")]
    .filter((input) => input.value)
    .map((input) => ({
      id: input.value,
      name: input.getAttribute("aria-label"),
      letter: input.nextElementSibling.textContent,
      shade: input.nextElementSibling.className.match(/l\d/)[0],
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
    drawTray();
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
  const chaffSaid = (seat) => chaffOf(seat)?.value.normalize("NFKC").trim() ?? "";
  const marked = (seat) => cards.filter((card) => owner(card) === seat.id).length;
  const blank = (seat) => !marked(seat) && !chaffSaid(seat);
  let feasible = null; // by player: the numbers of chaff that are possible, and the likely one

  // Whose the cards are that nobody is marked with: who was chosen, or the only one left blank. The
  // server has the same rule.
  function restOf() {
    if (!named && form.elements.rest_to?.value) {
      return seats.find((seat) => seat.id === form.elements.rest_to.value) ?? null;
    }
    const left = seats.filter(blank);
    return "whole" in form.dataset && left.length === 1 ? left[0] : null;
  }

  function drawTray() {
    if (hand) return;
    const rest = restOf();
    tray.replaceChildren(...drawChaff(rest), ...drawRest(rest));
  }

  // The other cards go to one player by one tap, which also says that somebody has none.
  function drawRest(rest) {
    const free = cards.filter((card) => !owner(card));
    if (rest) {
      const others = seats.filter((one) => one !== rest);
      const chaff = others.reduce((sum, one) => sum + (Number(chaffSaid(one)) || known(one)), 0);
      const count = free.length + (named ? 24 - chaff : 0);
      choices[seats.indexOf(rest)].lastChild.textContent = words.restShort.replace("{count}", count);
      return [];
    }
    const left = seats.filter(blank);
    const asked = left.length ? left.includes(active) && left.length < seats.length : true;
    if (!("whole" in form.dataset) || !free.length || !asked) return [];
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
    return [button];
  }

  // --- How many chaff: known, said, or guessed; a guess is nothing until somebody takes it ---

  const numbers = (seat) => feasible?.[seat.id]?.counts ?? [];
  const known = (seat) => (numbers(seat).length === 1 ? numbers(seat)[0] : 0);

  function drawChaff(rest) {
    if (!named || !feasible) return [];
    const asked = seats.filter((seat) => seat !== rest && !blank(seat));
    const rows = asked.map(chips);
    const open = asked.filter((seat) => !chaffSaid(seat) && numbers(seat).length > 1);
    if (!open.length) return rows;
    const head = document.createElement("div");
    head.className = "guess";
    const ask = document.createElement("small");
    ask.append(words.chaff);
    head.append(ask);
    const guesses = open.map((seat) => feasible[seat.id].likely);
    if (open.length > 1 && !guesses.includes(null)) {
      const list = new Intl.ListFormat(document.documentElement.lang).format(guesses.map(String));
      const button = document.createElement("button");
      button.type = "button";
      button.append(words.guess.replace("{counts}", list));
      button.addEventListener("click", () => {
        for (const [at, seat] of open.entries()) chaffOf(seat).value = guesses[at];
        commit();
      });
      head.append(button);
    }
    return [head, ...rows];
  }

  function chips(seat) {
    const { counts, likely } = feasible[seat.id];
    const field = chaffOf(seat);
    const said = chaffSaid(seat);
    const row = document.createElement("div");
    row.className = "chaff";
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", `${seat.name}: ${field.parentElement.textContent.trim()}`);
    const kind = document.createElement("small");
    kind.append(field.parentElement.querySelector("[lang]").cloneNode(true));
    row.append(letter(seat), kind);
    if (!said && counts.length === 1) {
      const only = document.createElement("b");
      only.append(counts[0]);
      const why = document.createElement("small");
      why.append(words.only);
      row.append(only, why);
      return row;
    }
    const middle = likely === null ? counts.length >> 1 : counts.indexOf(likely);
    const from = Math.max(0, Math.min(middle - 2, counts.length - CHIPS));
    let shown = counts.slice(from, from + CHIPS);
    if (/^\d+$/.test(said) && !shown.includes(Number(said))) {
      shown = [...shown.slice(0, CHIPS - 1), Number(said)].sort((a, b) => a - b);
    }
    for (const count of shown) {
      const chip = document.createElement("button");
      chip.type = "button";
      const guessed = !said && count === likely;
      chip.classList.toggle("guessed", guessed);
      chip.append(guessed ? `${count}?` : count);
      chip.setAttribute("aria-pressed", String(said === String(count)));
      chip.addEventListener("click", () => {
        field.value = said === String(count) ? "" : count;
        commit();
      });
      row.append(chip);
    }
    return row;
  }

  form.addEventListener("settled", ({ detail }) => {
    const told = named && detail.querySelector("[data-chaff]");
    if (!told) return;
    feasible = JSON.parse(told.dataset.chaff);
    draw();
  });

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
