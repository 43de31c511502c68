// The scoreboard's part in entering rounds: what happens meanwhile is noted in the draft of the next
// round, and the draft of a round that was saved is dropped.
"use strict";

import { dropDraft, keepDraft, readDraft, readFields, showNoted, writeFields } from "./draft.js";

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
