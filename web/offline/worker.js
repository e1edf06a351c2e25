// The service worker: after the first visit the page works without a network. The build fills in the constants.
const CACHE = "shisa-$VERSION";
const FILES = [/* $FILES */];
// The reference, which comes after all else: the page works without it.
const HELP = [/* $HELP */];

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.filter((name) => name.startsWith("shisa-") && name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
  // A file of the reference that cannot be stored now is stored when it is read.
  caches.open(CACHE).then((cache) => cache.addAll(HELP)).catch(() => undefined);
});

// Names of files have hashes of their contents, so a cached file is never out of date. The page itself comes from the
// network if there is one, because it names the files.
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(request.mode === "navigate" ? page(request) : file(request));
});

async function page(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match("./", { ignoreVary: true })) ?? Response.error();
  }
}

async function file(request) {
  // Servers that vary by origin send the same bytes all the same.
  return (await caches.match(request, { ignoreSearch: true, ignoreVary: true })) ?? fetched(request);
}

async function fetched(request) {
  const response = await fetch(request);
  if (response.ok && HELP.some((name) => request.url === new URL(name, self.location.href).href)) {
    const cache = await caches.open(CACHE);
    await cache.put(request, response.clone());
  }
  return response;
}
