// Takes the secret out of the address and into the form; joining stays a button that is pressed.
"use strict";

const form = document.getElementById("join");
if (location.hash.length > 1) {
  form.elements.link.value = location.href;
  form.classList.add("found");
  history.replaceState(null, "", location.pathname);
}
