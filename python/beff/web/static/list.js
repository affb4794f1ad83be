/* The list answers to its presets and sliders at once: it ranks all systems here and keeps the
   weights in the address. Without this script the same page works by its links and its button. */

import { rank } from "./ranking.js";

const form = document.getElementById("list-form");
const body = document.querySelector("#systems tbody");
const template = document.getElementById("row");
const status = document.getElementById("status");
const compare = document.getElementById("compare");
const sliders = [...form.querySelectorAll('input[type="range"]')];
const presets = [...form.querySelectorAll("a[data-preset]")];
const isStatic = form.dataset.standings.endsWith(".json") && !form.dataset.standings.startsWith("/");
const root = new URL(isStatic ? "." : "/", location.href);
const parameters = () => new URLSearchParams(location.search);
const rowsShown = isStatic ? Infinity : Number(parameters().get("per_page")) || 50;
const chosenIds = new Set();
let loading = null;

const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");

/** A figure with three digits; a dash where there is none. As in pages.py. */
export function figure(value) {
  if (value === null || value === undefined) return "–";
  if (!(Math.abs(value) < 1e15)) return "impossible";
  if (value >= 100 || Number.isInteger(value)) return grouped(value.toFixed(0));
  if (value < 1e-6) return value.toExponential(2);
  const three = value.toPrecision(3);
  return Number(three) === value ? String(value) : three;
}

/** A figure of a system in the unit in which people read it. */
function shownFigure(system, criterion, index) {
  if (system.impossible.includes(criterion.key)) return "impossible";
  const value = system.figures[index];
  return figure(value === null ? null : value * criterion.shown_factor);
}

const gbps = (value) => figure(value === null ? null : value * 1e-3);

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

/** The criterion whose figure stands beside the name; null where several have a weight. */
function onlyChosen(criteria, wanted) {
  const chosen = criteria.filter(({ key }) => wanted[key] > 0);
  return chosen.length === 1 ? chosen[0] : null;
}

function firmness(place) {
  if (place.best === place.worst) return "firm";
  return `could be ${place.best} to ${place.worst}`;
}

function cellsOf(system, place, criteria, wanted) {
  const missing = criteria.filter(
    ({ key }, index) => wanted[key] > 0 && !(system.figures[index] > 0),
  );
  const reasons = missing.length ? missing.map(({ label }) => `no ${label}`) : ["no weights"];
  const figures = criteria.map((criterion, index) => [
    criterion.key,
    shownFigure(system, criterion, index),
  ]);
  const accesses = [system.io_write_MBps, system.io_rewrite_MBps, system.io_read_MBps];
  const only = onlyChosen(criteria, wanted);
  const score = place ? (100 * place.score).toFixed(1) : "–";
  return {
    rank: place ? place.rank : "–",
    chosen: only ? shownFigure(system, only, criteria.indexOf(only)) : score,
    sure: place ? firmness(place) : reasons.join(", "),
    name: system.name,
    site: system.site || "",
    processes: figure(system.processes),
    share: system.share === null ? "?" : `${Math.floor(100 * Math.min(1, system.share) + 0.5)} %`,
    accesses: system.io_write_MBps ? accesses.map(gbps).join(" / ") : "–",
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
    pick.checked = chosenIds.has(String(system.id));
    pick.setAttribute("aria-label", `compare ${system.name}`);
  }
  return row;
}

/** Keep the weights in the address of this page and of its links; a new order begins at page 1. */
function remember(wanted) {
  const query = parameters();
  for (const [key, weight] of Object.entries(wanted)) query.set(`w_${key}`, String(weight));
  for (const name of ["page", "sort", "order"]) query.delete(name);
  history.replaceState(null, "", `?${query}`);
  for (const link of document.querySelectorAll("a[data-address]")) {
    link.href = link.dataset.address + query;
  }
  for (const link of document.querySelectorAll("a[data-keeps-weights]")) {
    const own = new URL(link.href).searchParams;
    for (const [key, weight] of Object.entries(wanted)) own.set(`w_${key}`, String(weight));
    link.href = `?${own}`;
  }
}

function showWeights(wanted) {
  for (const slider of sliders) {
    slider.parentElement.querySelector("output").value = slider.value;
  }
  const told = sliders.filter((slider) => Number(slider.value) > 0);
  const words = told.map((slider) => `${slider.labels[0].textContent} ${Number(slider.value)}`);
  let isPreset = false;
  for (const preset of presets) {
    const own = JSON.parse(preset.dataset.preset);
    const alike = Object.entries(wanted).every(([key, weight]) => weight > 0 === own[key] > 0);
    isPreset ||= alike;
    if (alike) preset.setAttribute("aria-current", "true");
    else preset.removeAttribute("aria-current");
  }
  document.getElementById("weights-told").textContent = isPreset
    ? ""
    : `: ${words.join(", ") || "none"}`;
}

function showChosenHead(criteria, wanted) {
  const only = onlyChosen(criteria, wanted);
  const head = document.getElementById("chosen-head");
  head.querySelector('[data-head="label"]').textContent = only ? only.heading : "Score";
  head.querySelector('[data-head="unit"]').textContent = only
    ? only.shown_unit.replace("us", "µs")
    : "%";
}

async function rerank() {
  remember(weights());
  showWeights(weights());
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
  showChosenHead(criteria, current);
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

function setWeights(wanted) {
  for (const slider of sliders) slider.value = wanted[slider.name.slice(2)] || 0;
}

for (const slider of sliders) slider.addEventListener("input", rerank);
for (const preset of presets) {
  preset.addEventListener("click", (event) => {
    event.preventDefault();
    setWeights(JSON.parse(preset.dataset.preset));
    rerank();
  });
}

if (compare) {
  const most = Number(compare.dataset.most);
  const hint = compare.querySelector("[role=status]");
  body.addEventListener("change", ({ target }) => {
    if (target.name !== "s") return;
    if (target.checked && chosenIds.size >= most) {
      target.checked = false;
      hint.textContent = `choose at most ${most}`;
      return;
    }
    if (target.checked) chosenIds.add(target.value);
    else chosenIds.delete(target.value);
    hint.textContent = `${chosenIds.size} chosen; choose two to ${most}`;
  });
  for (const box of body.querySelectorAll("input[name=s]:checked")) chosenIds.add(box.value);
}

if (isStatic) {
  const given = parameters();
  if (sliders.some((slider) => given.has(slider.name))) {
    for (const slider of sliders) slider.value = given.get(slider.name) || 0;
    rerank();
  }
}
