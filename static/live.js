// Keeps a page as its series stands, and says truthfully whether it does.
//
// The server says over a stream which version the series has; this fetches the part of the page
// that changed and puts it in place: what is scrolled, focused, unfolded or typed stays. A page
// without such a part is told the news and nothing else. Other scripts hear of both:
//
//   document.addEventListener("scorekeeper:news", ({ detail }) => detail.version, detail.text)
//   document.addEventListener("scorekeeper:sign", ({ detail }) => detail.state)
//   document.addEventListener("scorekeeper:part", ...)    the part that changed is in place
"use strict";

(() => {
  const watch = document.querySelector("[data-stream]");
  if (!watch || !window.EventSource) return;

  const part = document.querySelector("[data-part]");
  const sign = watch.querySelector(".sign");
  const news = watch.querySelector(".news");

  const SECOND = 1000;
  const PATIENCE = 8 * SECOND; // for an answer
  const QUIET = 30 * SECOND; // after which a stream that says nothing is doubted
  const AGAIN = 30 * SECOND; // before a stream that was refused is asked for again

  let tag = watch.dataset.tag; // of what is shown
  let stream = null;
  let current = false; // whether what is shown is known to be what there is
  let reached = true; // whether the server answered when it was asked last
  let closed = false; // whether this phone was told that it may not look any more
  let refused = 0; // when a stream was refused
  let timer = 0;

  const version = () => parseInt(tag, 10);
  // How often what phones gave of the round in progress changed since, where the page shows it.
  const pending = () => Number(/^\d+\.(\d+)/.exec(tag)?.[1] ?? 0);
  const shows = /^\d+\./.test(tag);
  const open = () => stream !== null && stream.readyState === EventSource.OPEN;
  const tell = (what, detail) =>
    document.dispatchEvent(new CustomEvent(`scorekeeper:${what}`, { detail }));
  // Not all phones of a table at the same moment.
  const about = (time) => time * (0.75 + Math.random() / 2);

  // --- The sign -----------------------------------------------------------------------------

  function show() {
    let state = "reconnecting";
    if (closed) state = "closed";
    else if (!reached) state = "offline";
    else if (open() && current) state = "live";
    else if (current && refused) state = "polling";
    if (sign.dataset.state === state) return;
    sign.dataset.state = state;
    sign.textContent = watch.dataset[state];
    sign.hidden = false;
    tell("sign", { state });
  }

  // --- Fetching what changed ----------------------------------------------------------------

  let asking = null;
  let again = false;

  // One question at a time; what is to be asked meanwhile is asked once afterwards.
  function ask() {
    if (asking) {
      again = true;
      return;
    }
    asking = fetchPart().then(
      () => (reached = true),
      () => (reached = current = false),
    );
    asking.then(() => {
      asking = null;
      if (again) {
        again = false;
        ask();
        return;
      }
      if (!reached) {
        // It may still seem to be open; and if it was refused, that was the network's doing.
        hang();
        refused = 0;
      }
      if (reached && !stream && Date.now() - refused > AGAIN) listen();
      show();
      wait();
    });
  }

  async function fetchPart() {
    const stop = new AbortController();
    const patience = setTimeout(() => stop.abort(), PATIENCE);
    try {
      const answer = await fetch(watch.dataset.page, {
        headers: { Accept: "text/x-fragment", "If-None-Match": `"${tag}"` },
        cache: "no-store",
        redirect: "error",
        signal: stop.signal,
      });
      if ([401, 403, 404].includes(answer.status)) {
        closed = true;
        hang();
        return;
      }
      const found = answer.headers.get("ETag");
      // Whatever else answers here, as in the network of a hotel, is not our server.
      if (!found || !(answer.ok || answer.status === 304)) throw new Error(answer.status);
      if (answer.ok) take(await answer.text(), found.replace(/^W\/|"/g, ""));
      closed = false;
      current = true;
    } finally {
      clearTimeout(patience);
    }
  }

  function take(text, found) {
    tag = found;
    const fresh = new DOMParser().parseFromString(text, "text/html").body;
    const told = fresh.querySelector("[data-news]");
    told?.remove();
    const heard = Boolean(told?.textContent);
    still(() => {
      if (part) put(fresh);
      if (heard) news.replaceChildren(...told.childNodes);
    });
    if (part) tell("part");
    if (heard) tell("news", { version: version(), text: news.textContent });
  }

  // Keeps what is looked at where it is on the screen. Most browsers do so by themselves, but not at
  // the top of a page; and there it matters only to whoever is tapping cards under what comes.
  function still(change) {
    const byItself = scrollY > 0 && CSS.supports("overflow-anchor", "auto");
    const wanted = scrollY > 0 || document.querySelector("form.round:is([data-state], .own)");
    const seen = wanted && !byItself && document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    const before = seen && seen.getBoundingClientRect().top;
    change();
    if (seen && seen.isConnected) scrollBy(0, seen.getBoundingClientRect().top - before);
  }

  function put(fresh) {
    const focused = document.activeElement;
    const inside = part.contains(focused);
    becomeChildren(part, fresh);
    // What had the focus may be gone: a row of a round that was withdrawn.
    if (inside && !part.contains(focused)) part.focus({ preventScroll: true });
  }

  // Makes an element like another one, keeping every node that is in both.
  function become(old, fresh) {
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
      return;
    }
    // Whether it is unfolded is for whoever looks at it.
    const theirs = (name) => name === "open" && old.nodeName === "DETAILS";
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name) && !theirs(name)) old.removeAttribute(name);
    }
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value && !theirs(name)) old.setAttribute(name, value);
    }
    becomeChildren(old, fresh);
  }

  function becomeChildren(old, fresh) {
    let at = old.firstChild;
    for (const wanted of [...fresh.childNodes]) {
      const kept = kin(at, wanted);
      if (!kept) {
        old.insertBefore(wanted, at);
        continue;
      }
      // What stands before it is not wanted any more.
      while (at !== kept) at = removed(at);
      become(kept, wanted);
      at = kept.nextSibling;
    }
    while (at) at = removed(at);
  }

  function removed(node) {
    const next = node.nextSibling;
    node.remove();
    return next;
  }

  // The node that is to become the wanted one: the one of the same id, else the next of its kind.
  function kin(node, wanted) {
    if (wanted.id) {
      while (node && node.id !== wanted.id) node = node.nextSibling;
    }
    const same = node && node.nodeName === wanted.nodeName && (node.id || "") === (wanted.id || "");
    return same ? node : null;
  }

  // --- The stream ---------------------------------------------------------------------------

  function listen() {
    if (stream || closed || document.hidden) return;
    let heard = false;
    stream = new EventSource(watch.dataset.stream);
    stream.onopen = () => {
      refused = 0;
      current = false;
      // The first thing that it says is the version; after a break, only if there is another.
      if (heard) ask();
    };
    stream.onmessage = ({ data }) => {
      heard = true;
      current = Number(data) === version();
      if (current) {
        reached = true;
        show();
        wait();
      } else {
        ask();
      }
    };
    if (shows) {
      stream.addEventListener("pending", ({ data }) => {
        if (Number(data) !== pending()) ask();
      });
    }
    stream.onerror = () => {
      current = false;
      if (stream.readyState === EventSource.CLOSED) {
        // It was refused, and does not try again by itself.
        refused = Date.now();
        hang();
      }
      show();
      ask();
    };
  }

  function hang() {
    stream?.close();
    stream = null;
  }

  // Looks after what should have been heard of by now.
  function wait() {
    clearTimeout(timer);
    if (document.hidden || closed) return;
    timer = setTimeout(ask, about(open() && reached ? QUIET : 4 * SECOND));
  }

  // --- Where this phone is ------------------------------------------------------------------

  function wake() {
    if (document.hidden) return;
    closed = current = false;
    refused = 0;
    // It may have died without a word.
    hang();
    listen();
    ask();
  }

  function sleep() {
    hang();
    clearTimeout(timer);
    current = false;
    show();
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? sleep() : wake()));
  window.addEventListener("pagehide", sleep);
  window.addEventListener("pageshow", ({ persisted }) => persisted && wake());
  // What a phone says of its network is only a reason to look.
  window.addEventListener("online", wake);
  window.addEventListener("offline", ask);
  show();
  listen();
  wait();
})();
