// The month board: a tap gives a month to one side, the same tap again takes it back.
"use strict";

export function months(form) {
  if (!form.classList.contains("by-months")) return;
  const board = form.querySelector(".piles");

  // A radio button that is on already is turned off by another tap.
  let before = null;
  const remember = (event) => {
    const half = event.target.closest?.(".half");
    before = half?.querySelector("input").checked ? half : null;
  };
  board.addEventListener("pointerdown", remember);
  board.addEventListener("keydown", remember);
  board.addEventListener("click", (event) => {
    const half = event.target.closest(".half");
    if (!half || event.target.tagName !== "INPUT" || before !== half) return;
    before = null;
    half.parentElement.querySelector(".split input").checked = true;
    form.dispatchEvent(new Event("input"));
  });

  // What follows from the marks is shown lighter, what they exclude is greyed.
  form.addEventListener("settled", ({ detail }) => {
    const told = detail.querySelector("[data-yaku]");
    if (!told) return;
    const yaku = JSON.parse(told.dataset.yaku);
    const cards = JSON.parse(told.dataset.cards);
    for (const side of board.querySelectorAll(".side")) {
      const { may, has } = yaku[side.dataset.yaku];
      for (const input of side.querySelectorAll(".half input")) {
        const player = Number(input.value);
        input.disabled = !may.includes(player) && !input.checked;
        input.parentElement.classList.toggle("follows", has === player);
      }
    }
    for (const part of board.querySelectorAll(".part")) {
      for (const input of part.querySelectorAll(".half input")) {
        const follows = cards[part.dataset.card] === Number(input.value);
        input.parentElement.classList.toggle("follows", follows);
      }
    }
  });
}
