/* The list answers to its sliders at once: it ranks all systems here and keeps the weights in the
   address. Without this script the same page works by its button. */

import { rank } from "./ranking.js";

const form = document.getElementById("list-form");
const body = document.querySelector("#systems tbody");
const template = document.getElementById("row");
const status = document.getElementById("status");
const sliders = [...form.querySelectorAll('input[type="range"]')];
const root = new URL(form.dataset.standings.endsWith(".json") ? "." : "/", location.href);
const isStatic = form.dataset.standings.endsWith(".json");
const parameters = () => new URLSearchParams(location.search);
const rowsShown = isStatic ? Infinity : Number(parameters().get("per_page")) || 50;
let loading = null;

/** A figure with three or four digits; a dash where there is none. As in pages.py. */
export function figure(value) {
  if (value === null || value === undefined) return "–";
  if (!(Math.abs(value) < 1e15)) return "impossible";
  if (value >= 1000 || Number.isInteger(value)) return value.toFixed(0);
  if (value >= 100) return value.toFixed(1);
  return value >= 1e-3 ? String(Number(value.toPrecision(3))) : value.toExponential(2);
}

/** The figures of all systems that pass the filters, asked for once. */
function standings() {
  if (loading === null) {
    const address = new URL(form.dataset.standings, location.href);
    for (const [name, value] of Object.entries(JSON.parse(form.dataset.filters))) {
      address.searchParams.set(name, value);
    }
    loading = fetch(address).then((answer) => {
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      return answer.json();
    });
    loading.catch(() => {
      loading = null;
    });
  }
  return loading;
}

function weights() {
  return Object.fromEntries(sliders.map((slider) => [slider.name.slice(2), Number(slider.value)]));
}

function cellsOf(system, place, criteria, wanted) {
  const missing = criteria.filter(
    ({ key }, index) => wanted[key] > 0 && !(system.figures[index] > 0),
  );
  const reasons = missing.length ? missing.map(({ label }) => `no ${label}`) : ["no weights"];
  const figures = criteria.map(({ key }, index) => [
    key,
    system.impossible.includes(key) ? "impossible" : figure(system.figures[index]),
  ]);
  const accesses = [system.io_write_MBps, system.io_rewrite_MBps, system.io_read_MBps];
  return {
    rank: place ? place.rank : "–",
    sure: place ? `${place.best}–${place.worst}` : reasons.join(", "),
    score: place ? (100 * place.score).toFixed(1) : "",
    name: system.name,
    site: system.site || "",
    processes: system.processes,
    accesses: system.io_write_MBps ? accesses.map(figure).join(" / ") : "–",
    year: system.year || "–",
    runs: system.runs,
    ...Object.fromEntries(figures),
  };
}

function rowOf(system, place, criteria, wanted) {
  const row = template.content.firstElementChild.cloneNode(true);
  if (!place) row.classList.add("unranked");
  const cell = (name) => row.querySelector(`[data-cell="${name}"]`);
  for (const [name, text] of Object.entries(cellsOf(system, place, criteria, wanted))) {
    cell(name).textContent = text;
  }
  cell("name").href = new URL(`systems/${system.id}${isStatic ? ".html" : ""}`, root).href;
  cell("historic").hidden = !system.historic;
  const pick = cell("pick");
  if (pick) {
    pick.value = system.id;
    pick.setAttribute("aria-label", `compare ${system.name}`);
  }
  return row;
}

/** Keep the weights in the address of this page and of its data; a new order begins at page 1. */
function remember(wanted) {
  const query = parameters();
  for (const [key, weight] of Object.entries(wanted)) query.set(`w_${key}`, String(weight));
  for (const name of ["page", "sort", "order"]) query.delete(name);
  history.replaceState(null, "", `?${query}`);
  for (const link of document.querySelectorAll("a[data-address]")) {
    link.href = link.dataset.address + query;
  }
}

function showWeights() {
  for (const slider of sliders) {
    slider.parentElement.querySelector("output").value = slider.value;
  }
}

async function rerank() {
  const wanted = weights();
  showWeights();
  remember(wanted);
  let data;
  try {
    data = await standings();
  } catch {
    status.textContent = "The figures cannot be loaded now; use the button to rank.";
    return;
  }
  const { criteria, systems } = data;
  const current = weights();
  const ranks = rank(systems, criteria, current);
  const byId = new Map(systems.map((system) => [system.id, system]));
  const ranked = new Set(ranks.map(({ id }) => id));
  const rows = ranks.slice(0, rowsShown).map((place) => [byId.get(place.id), place]);
  for (const system of systems) {
    if (rows.length >= rowsShown) break;
    if (!ranked.has(system.id)) rows.push([system, null]);
  }
  body.replaceChildren(...rows.map(([system, place]) => rowOf(system, place, criteria, current)));
  status.textContent = `${ranks.length} of ${systems.length} systems ranked`;
  updatePages(systems.length);
}

function updatePages(total) {
  const pages = document.querySelector("nav.pages");
  if (!pages) return;
  const next = document.createElement("a");
  const query = parameters();
  query.set("page", "2");
  next.href = `?${query}`;
  next.rel = "next";
  next.textContent = "Next";
  const place = document.createElement("span");
  place.textContent = `page 1 of ${Math.ceil(total / rowsShown)}`;
  pages.replaceChildren(place, next);
}

for (const slider of sliders) slider.addEventListener("input", rerank);

if (isStatic) {
  const given = parameters();
  const known = sliders.filter((slider) => given.has(slider.name));
  if (known.length > 0) {
    for (const slider of sliders) slider.value = given.get(slider.name) || 0;
    rerank();
  }
}
