// Takes the secret out of the address and into the form; joining stays a button that is pressed.
//
// The tab remembers it, so that a reload does not lose it, until it has been refused or has opened a
// series: every page of one forgets it (draft.js).
"use strict";

const form = document.getElementById("join");
const refused = document.getElementById("wrong");

function remembered() {
  try {
    if (location.hash.length > 1) sessionStorage.setItem("join", location.href);
    else if (refused) sessionStorage.removeItem("join");
    return sessionStorage.getItem("join");
  } catch {
    // Without storage a reload forgets.
    return location.hash.length > 1 ? location.href : null;
  }
}

form.classList.add("scripted");
const link = remembered();
if (link) {
  form.elements.link.value = link;
  form.classList.add("found");
  history.replaceState(null, "", location.pathname);
}
