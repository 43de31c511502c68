// Lets the pages open again without a connection, over https, where browsers allow that.
//
// A page comes from the server whenever it answers. Otherwise there is the copy that this phone last
// had, which says so and of when it is. Only pages without secrets are kept, and none of a series
// that this phone was put out of. Nothing that is sent to the server passes through here: it
// waits in the page itself (queue.js), as they do over plain http, where there is no worker.
"use strict";

const PAGES = "pages";
const FILES = "files";
const PATIENCE = 6000; // milliseconds for a page, where there is a copy of it
const MOST = { [PAGES]: 40, [FILES]: 80 };

// By their paths: a page that is not named here is never kept.
const REOPENED = [
  /^\/$/,
  /^\/s\/[^/]+$/,
  /^\/s\/[^/]+\/(history|rules|pile)$/,
  /^\/s\/[^/]+\/rounds\/(new|\d+)$/,
  /^\/rules\/[^/]+$/,
];
const OUT = [401, 403, 404];

const below = new URL(registration.scope).pathname.length - 1;
const pathOf = (url) => new URL(url).pathname.slice(below);
const isFile = (url) => pathOf(url).startsWith("/static/");
const reopened = (url) => REOPENED.some((path) => path.test(pathOf(url)));

// A page without what it was opened with once.
function nameOf(url) {
  const name = new URL(url);
  for (const once of ["saved", "withdrawn", "kept", "corrected", "keyed"]) name.searchParams.delete(once);
  name.hash = "";
  return name.href;
}

// --- What is kept --------------------------------------------------------------------------------

async function keep(where, name, answer) {
  const cache = await caches.open(where);
  // What is kept anew counts as new.
  await cache.delete(name, { ignoreVary: true });
  await cache.put(name, answer);
  const names = await cache.keys();
  await Promise.all(names.slice(0, -MOST[where]).map((old) => cache.delete(old)));
}

// Drops every page of the series that a page belongs to, and the one that lists the series.
async function forget(url) {
  const [series] = pathOf(url).match(/^\/s\/[^/]+/) ?? [];
  const cache = await caches.open(PAGES);
  const gone = (path) =>
    path === pathOf(url) || (series && (path === "/" || `${path}/`.startsWith(`${series}/`)));
  const names = (await cache.keys()).filter((name) => gone(pathOf(name.url)));
  await Promise.all(names.map((name) => cache.delete(name)));
}

async function look(url, answer) {
  if (OUT.includes(answer.status)) await forget(url);
  else if (answer.status === 200 && reopened(url)) await keep(PAGES, nameOf(url), answer);
}

// --- What is answered ----------------------------------------------------------------------------

async function file(event) {
  const found = await caches.match(event.request, { cacheName: FILES, ignoreVary: true });
  if (found) return found;
  const answer = await fetch(event.request);
  if (answer.status === 200) event.waitUntil(keep(FILES, event.request.url, answer.clone()));
  return answer;
}

async function page(event) {
  const { url } = event.request;
  const answer = fetch(event.request).then(
    (found) => {
      event.waitUntil(look(url, found.clone()));
      return found;
    },
    () => null,
  );
  event.waitUntil(answer);
  const late = new Promise((go) => setTimeout(go, PATIENCE)).then(() => copy(url));
  return (
    (await Promise.race([answer, late])) ??
    (await answer) ??
    (await copy(url)) ??
    Response.error()
  );
}

// The part of a page that changes is not kept, but it tells when a phone is out.
async function part(event) {
  const answer = await fetch(event.request);
  if (OUT.includes(answer.status)) event.waitUntil(forget(event.request.url));
  return answer;
}

async function copy(url) {
  const where = { cacheName: PAGES, ignoreVary: true };
  // Another player's pile is no copy of a pile; of any other page, any shape is.
  const ignoreSearch = !pathOf(url).endsWith("/pile");
  const found =
    (await caches.match(nameOf(url), where)) ??
    (await caches.match(nameOf(url), { ...where, ignoreSearch }));
  if (!found) return null;
  const text = await found.text();
  const [, language] = text.match(/<html lang="([^"]+)"/) ?? [];
  const at = new Date(found.headers.get("Date") ?? Date.now());
  const told = at.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
  const headers = new Headers(found.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  const labelled = text
    .replace('<p class="warning old" hidden>', '<p class="warning old">')
    .replace("<time></time>", `<time datetime="${at.toISOString()}">${told}</time>`);
  return new Response(labelled, { headers });
}

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  if (isFile(request.url)) event.respondWith(file(event));
  else if (request.mode === "navigate") event.respondWith(page(event));
  else if (request.headers.get("Accept") === "text/x-fragment") event.respondWith(part(event));
});

// --- Coming and going ----------------------------------------------------------------------------

// A page that was there before tells what it is made of.
addEventListener("message", (event) => {
  const ours = event.data.filter((url) => new URL(url).origin === location.origin);
  const urls = [...new Set(ours.map((url) => url.split("#")[0]))];
  const files = urls.filter(isFile).map(async (url) => {
    const answer = await fetch(url);
    if (answer.status === 200) await keep(FILES, url, answer);
  });
  const pages = urls.filter(reopened).map(async (url) => look(url, await fetch(url)));
  event.waitUntil(Promise.allSettled([...files, ...pages]));
});

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
