// One keypad for all counts: it asks for one number after the other and offers only possible ones.
"use strict";

export function pad(form, words) {
  if (!form.classList.contains("by-counts")) return;
  const whole = "whole" in form.dataset;
  const place = document.getElementById("pad");
  const seats = [...form.querySelectorAll(".pile")].map((pile) => ({
    name: pile.querySelector("bdi").textContent,
    letter: pile.querySelector(".letter"),
    fields: [...pile.querySelectorAll("[data-kind]")],
  }));
  const kinds = seats[0].fields.length;
  let here = null; // the field that is asked for

  const number = (field) => {
    const text = field.value.normalize("NFKC").trim();
    return /^\d+$/.test(text) ? Number(text) : null;
  };
  const blank = (field) => field.value.trim() === "";
  const seatOf = (field) => seats.findIndex((seat) => seat.fields.includes(field));
  const complete = (seat) => !seat.fields.some(blank);

  // How many of a kind the other piles leave.
  function left(field) {
    const kind = seats[seatOf(field)].fields.indexOf(field);
    const taken = seats.map((seat) => seat.fields[kind]).filter((other) => other !== field);
    return Number(field.dataset.deck) - taken.reduce((sum, other) => sum + (number(other) ?? 0), 0);
  }

  // The numbers that are possible: no more than are left, and with the last kind an even pile.
  function possible(field) {
    const most = Math.max(0, left(field));
    const numbers = Array.from({ length: most + 1 }, (_, n) => n);
    const { fields } = seats[seatOf(field)];
    const others = fields.filter((other) => other !== field);
    if (field !== fields[kinds - 1] || others.some((other) => number(other) === null)) {
      return numbers;
    }
    const sum = others.reduce((total, other) => total + number(other), 0);
    const even = numbers.filter((n) => (n + sum) % 2 === 0);
    return even.length ? even : numbers;
  }

  // The next field to ask for, from a seat on; where only one number is possible, it is filled in.
  function next(from) {
    for (let step = 0; step < seats.length; step += 1) {
      const seat = seats[(from + step) % seats.length];
      for (const field of seat.fields) {
        const open = seats.filter((one) => !complete(one));
        // The last pile is the rest of the deck.
        if (whole && open.length === 1 && seat.fields.every(blank)) return null;
        if (!blank(field)) continue;
        const numbers = possible(field);
        if (numbers.length > 1) return field;
        field.value = numbers[0];
        field.dataset.filled = "";
      }
    }
    return null;
  }

  function press(n) {
    const field = here;
    const seat = seatOf(field);
    if (!blank(field)) {
      // A number is mended: what had followed from it is asked anew.
      for (const other of form.querySelectorAll("[data-filled]")) {
        other.value = "";
        delete other.dataset.filled;
      }
    }
    delete field.dataset.filled;
    field.value = n;
    here = next(seat);
    form.dispatchEvent(new Event("input"));
  }

  function key(text, tap, more = "") {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `key ${more}`;
    button.append(text);
    button.addEventListener("click", tap);
    return button;
  }

  function draw() {
    const open = seats.filter((seat) => !complete(seat));
    const rest = whole && open.length === 1 && open[0].fields.every(blank) ? open[0] : null;
    for (const seat of seats) {
      for (const field of seat.fields) {
        field.classList.toggle("here", field === here);
        field.placeholder = seat === rest || (whole && seat === seats.at(-1)) ? left(field) : "";
      }
    }
    place.hidden = false;
    const head = document.createElement("p");
    head.className = "asked";
    if (!here) {
      head.append(words.done);
      place.replaceChildren(head);
      place.classList.add("done");
      return;
    }
    place.classList.remove("done");
    const seat = seats[seatOf(here)];
    const kind = here.parentElement.querySelector("span").cloneNode(true);
    const name = document.createElement("bdi");
    name.append(seat.name);
    const rests = document.createElement("small");
    rests.append(words.left.replace("{count}", left(here)));
    head.append(seat.letter.cloneNode(true), name, kind, rests);
    const keys = document.createElement("div");
    keys.className = "keys";
    keys.setAttribute("role", "group");
    keys.setAttribute("aria-label", `${seat.name}: ${kind.textContent.trim()}`);
    keys.append(...possible(here).map((n) => key(n, () => press(n))));
    place.replaceChildren(head, keys);
  }

  for (const { fields } of seats) {
    for (const field of fields) {
      // The pad takes the place of the phone's keyboard; a real one still types.
      field.inputMode = "none";
      field.addEventListener("focus", () => {
        here = field;
        draw();
      });
      field.addEventListener("input", () => delete field.dataset.filled);
    }
  }
  form.addEventListener("redraw", ({ detail }) => {
    const undone = seats.flatMap((seat) => seat.fields).filter((one) => one.name in (detail ?? {}));
    if (undone.length) here = undone.find(blank) ?? here;
    else if (document.activeElement !== here) here = next(here ? seatOf(here) : 0);
    draw();
  });
}
