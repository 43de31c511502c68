// One keypad for all counts: it asks for one number after the other and offers the possible ones;
// those that no pile should have are one more tap away. The cell that it fills stays in sight.
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
  let all = false; // whether every number is offered for it

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

  // Whether a number would make a pile odd: with the last kind, all of its cards are known.
  function odd(field, n) {
    const { fields } = seats[seatOf(field)];
    const others = fields.filter((other) => other !== field).map(number);
    if (field !== fields[kinds - 1] || others.includes(null)) return false;
    return others.reduce((sum, other) => sum + other, n) % 2 === 1;
  }

  // The numbers that the other piles leave.
  const numbers = (field) => Array.from({ length: Math.max(0, left(field)) + 1 }, (_, n) => n);

  function possible(field) {
    const even = numbers(field).filter((n) => !odd(field, n));
    return even.length ? even : numbers(field);
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
        const offered = possible(field);
        if (offered.length > 1) return field;
        field.value = offered[0];
        field.dataset.filled = "";
      }
    }
    return null;
  }

  function press(n) {
    const field = here;
    begun = true;
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
    head.append(seat.letter.cloneNode(true), name, kind);
    // Of one pile alone nobody knows what the others leave.
    if (seats.length > 1) {
      const rests = document.createElement("small");
      rests.append(words.left.replace("{count}", left(here)));
      head.append(rests);
    }
    const keys = document.createElement("div");
    keys.className = "keys";
    keys.setAttribute("role", "group");
    keys.setAttribute("aria-label", `${seat.name}: ${kind.textContent.trim()}`);
    const offered = all ? numbers(here) : possible(here);
    keys.append(...offered.map((n) => key(n, () => press(n), odd(here, n) ? "odd" : "")));
    if (offered.length < numbers(here).length) {
      const more = key("…", () => {
        all = true;
        draw();
        reveal();
        place.querySelector(".key").focus({ preventScroll: true });
      });
      more.setAttribute("aria-label", words.others);
      keys.append(more);
    }
    const why = document.createElement("p");
    why.className = "hint";
    if (offered.some((n) => odd(here, n))) why.append(words.even);
    keys.classList.toggle("all", all);
    place.replaceChildren(head, why, keys);
  }

  // --- The cell that is filled stays in sight, above what would cover it ---

  const dock = place.closest(".dock");
  let begun = false; // whether counting has begun: before that the page stays at its top
  let revealed = null; // the field that was brought into sight last
  let looked = 0; // how far down the page was then

  function reveal() {
    document.documentElement.style.setProperty("--dock", `${dock.offsetHeight}px`);
    if (begun) here?.closest("label").scrollIntoView({ block: "nearest" });
    revealed = here;
    looked = scrollY;
  }

  // Whoever has gone elsewhere on the page meanwhile is left there.
  const moved = new ResizeObserver(() => here && scrollY === looked && reveal());
  moved.observe(dock);
  moved.observe(document.body);

  for (const { fields } of seats) {
    for (const field of fields) {
      // The pad takes the place of the phone's keyboard; a real one still types.
      field.inputMode = "none";
      field.addEventListener("focus", () => {
        all = false;
        here = field;
        begun = true;
        draw();
        reveal();
      });
      field.addEventListener("input", () => delete field.dataset.filled);
    }
  }
  form.addEventListener("redraw", ({ detail }) => {
    const undone = seats.flatMap((seat) => seat.fields).filter((one) => one.name in (detail ?? {}));
    begun ||= undone.length > 0;
    if (undone.length) here = undone.find(blank) ?? here;
    else if (document.activeElement !== here) here = next(here ? seatOf(here) : 0);
    const other = here !== revealed;
    if (other) all = false;
    draw();
    if (other) reveal();
  });
}
