// Returns what is wrong: elements to use without a name, texts with a contrast below 4.5 (3 for large ones), pages that scroll sideways.
const problems = [];
const name = (e) => (e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.innerText || e.value || e.title || "").trim();
for (const e of document.querySelectorAll("a[href],button,input:not([type=hidden]),select,textarea,summary")) {
  if (e.offsetParent && !name(e)) problems.push("no name: " + e.outerHTML.slice(0, 120));
}
const parse = (c) => { const n = c.match(/[\d.]+/g).map(Number); return { r: n[0], g: n[1], b: n[2], a: n.length > 3 ? n[3] : 1 }; };
const light = (c) => { const f = (v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }; return 0.2126 * f(c.r) + 0.7152 * f(c.g) + 0.0722 * f(c.b); };
const behind = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.a > 0.9) return c; } return { r: 255, g: 255, b: 255 }; };
const seen = new Set();
for (const e of document.querySelectorAll("main *, nav *")) {
  if (e.closest("svg") || !e.offsetParent || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
  const style = getComputedStyle(e), a = light(parse(style.color)), b = light(behind(e));
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), size = parseFloat(style.fontSize);
  const key = style.color + e.className + e.tagName;
  if (contrast < (size >= 24 || (size >= 18.5 && style.fontWeight >= 600) ? 3 : 4.5) && !seen.has(key)) {
    seen.add(key);
    problems.push(`contrast ${contrast.toFixed(2)}: ${e.outerHTML.slice(0, 120)}`);
  }
}
if (document.documentElement.scrollWidth > innerWidth + 1) problems.push(`scrolls sideways: ${document.documentElement.scrollWidth} > ${innerWidth}`);
return problems;
