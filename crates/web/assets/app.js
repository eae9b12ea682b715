"use strict";
// A job while it runs: the server sends the part that changes. EventSource connects again by itself, except after an answer such as "502".
function watch(live) {
  const events = new EventSource(live.dataset.events);
  events.addEventListener("live", (event) => { live.innerHTML = event.data; });
  events.addEventListener("over", () => { events.close(); location.reload(); });
  events.addEventListener("error", () => { if (events.readyState === EventSource.CLOSED) setTimeout(() => watch(live), 3000); });
  addEventListener("pagehide", () => events.close());
}
document.querySelectorAll("[data-events]").forEach(watch);

for (const waiting of document.querySelectorAll("[data-refresh]")) {
  setTimeout(() => location.reload(), Number(waiting.dataset.refresh));
}

for (const button of document.querySelectorAll("[data-sure]")) {
  button.addEventListener("click", (event) => { if (!confirm(button.dataset.sure)) event.preventDefault(); });
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", () => { navigator.clipboard.writeText(field.value).then(() => { button.textContent = "Copied"; }); });
  field.addEventListener("focus", () => field.select());
}

// Uploads show how far they are. Without this the form works as any form.
for (const form of document.querySelectorAll("form[data-upload]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const box = form.querySelector(".progress"), bar = box.querySelector("progress"), text = box.querySelector("span"), failure = form.querySelector(".failure");
    const button = form.querySelector("button.strong"), request = new XMLHttpRequest();
    const failed = (message) => { button.disabled = false; failure.textContent = message; box.hidden = true; };
    box.hidden = false; button.disabled = true; text.textContent = ""; failure.textContent = "";
    request.upload.onprogress = (sent) => {
      if (!sent.lengthComputable) return;
      bar.value = 100 * sent.loaded / sent.total;
      text.textContent = sent.loaded < sent.total ? `${Math.floor(bar.value)} %` : "being checked …";
    };
    request.onload = () => {
      let answer = {};
      try { answer = JSON.parse(request.responseText); } catch { /* a proxy answered */ }
      if (request.status < 300 && answer.page) location.href = answer.page;
      else failed(answer.error || `The server answered ${request.status}.`);
    };
    request.onerror = () => failed("The connection was lost. Try again.");
    request.open("POST", form.action);
    request.setRequestHeader("Accept", "application/json");
    request.send(new FormData(form));
  });
}

// Memory graphs: drag to move, buttons or + − 0 and the arrow keys to zoom and move.
for (const svg of document.querySelectorAll(".chain .picture svg")) {
  const box = svg.viewBox.baseVal;
  if (!box || !box.width) continue;
  const start = { x: box.x, y: box.y, width: box.width, height: box.height };
  const set = (x, y, width, height) => svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  const zoom = (by) => {
    const now = svg.viewBox.baseVal, width = Math.min(start.width * 2, Math.max(start.width / 20, now.width * by));
    const part = width / now.width;
    set(now.x + now.width * (1 - part) / 2, now.y + now.height * (1 - part) / 2, width, now.height * part);
  };
  const move = (x, y) => { const now = svg.viewBox.baseVal; set(now.x + x * now.width, now.y + y * now.height, now.width, now.height); };
  const reset = () => set(start.x, start.y, start.width, start.height);
  const bar = document.createElement("div");
  bar.className = "zoom";
  for (const [sign, name, act] of [["+", "zoom in", () => zoom(0.8)], ["−", "zoom out", () => zoom(1.25)], ["reset", "whole graph", reset]]) {
    const button = document.createElement("button");
    button.type = "button"; button.textContent = sign; button.setAttribute("aria-label", name);
    button.addEventListener("click", act);
    bar.append(button);
  }
  const picture = svg.closest(".picture");
  picture.before(bar);
  picture.addEventListener("keydown", (event) => {
    const act = { "+": () => zoom(0.8), "-": () => zoom(1.25), "0": reset, ArrowLeft: () => move(-0.1, 0), ArrowRight: () => move(0.1, 0), ArrowUp: () => move(0, -0.1), ArrowDown: () => move(0, 0.1) }[event.key];
    if (act && !event.ctrlKey && !event.metaKey) { event.preventDefault(); act(); }
  });
  svg.classList.add("zoomed");
  svg.addEventListener("wheel", (event) => { if (event.ctrlKey) { event.preventDefault(); zoom(event.deltaY < 0 ? 0.9 : 1.1); } }, { passive: false });
  let from = null;
  svg.addEventListener("pointerdown", (event) => { from = { x: event.clientX, y: event.clientY }; svg.setPointerCapture(event.pointerId); });
  svg.addEventListener("pointermove", (event) => {
    if (!from) return;
    const size = svg.getBoundingClientRect();
    move((from.x - event.clientX) / size.width, (from.y - event.clientY) / size.height);
    from = { x: event.clientX, y: event.clientY };
  });
  svg.addEventListener("pointerup", () => { from = null; });
}
