// What was typed follows the choice between it and what others did meanwhile: on this phone it is
// dropped with it, or moved with it to another place. Runs before entry.js looks for drafts.
"use strict";

import { corrections, dropDraft, keepDraft, readDraft, readFields } from "./draft.js";
import { drop, items } from "./queue.js";

const [, series, number] = location.pathname.match(/\/s\/([^/]+)(?:\/rounds\/(\d+))?/) ?? [];
const answered = new URLSearchParams(location.search);

// Nothing of it is left where it was: no draft, and nothing that waits to be looked at.
function clear(place) {
  dropDraft(place);
  for (const item of items()) {
    if (item.refused && item.place === place) drop(item.key);
  }
}

// What is recorded was kept.
const kept = answered.get("kept");
if (kept) clear(`${series} ${kept}`);

// The correction of a round was saved: nothing of an older one is left to keep.
if (answered.has("corrected")) {
  for (const place of corrections(`${series} correction of ${number}.0`)) clear(place);
}

// It became another round, or the correction of one.
const form = document.getElementById("round");
if (form?.dataset.from) {
  const { draft: place, from } = form.dataset;
  keepDraft(place, { ...readDraft(from), ...readFields(form) });
  clear(from);
}
