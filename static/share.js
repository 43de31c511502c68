// Keeps a short code good for as long as somebody looks at it: a minute before its end, another one
// is made by the same button and shown in its place.
"use strict";

const MARGIN = 60; // seconds

function watch(form) {
  const left = Number(form.dataset.left);
  if (!left) return;
  setTimeout(() => renewWhenSeen(form), Math.max(1, left - MARGIN) * 1000);
}

function renewWhenSeen(form) {
  if (document.visibilityState === "visible") {
    renew(form);
  } else {
    document.addEventListener("visibilitychange", () => renewWhenSeen(form), { once: true });
  }
}

async function renew(form) {
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form) });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById(form.id);
    if (!fresh) return;
    form.replaceWith(fresh);
    watch(fresh);
  } catch {
    // Without the server there is nothing to show; the code that stands there ends by itself.
  }
}

for (const form of document.querySelectorAll("form.typed")) watch(form);
