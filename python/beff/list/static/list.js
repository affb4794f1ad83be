/* The list answers to presets, weights, search and headings at once, and keeps them in the address. Without this script
   the presets' rankings stand on pages of their own. */

import { rank } from "./ranking.js";

/** What beff.list.tables writes: in each row a system in a group, with its figures and the texts of its cells. */
const { criteria, systems: standings } = globalThis.BEFF_LIST;
standings.forEach((standing, id) => Object.assign(standing, { id }));
const form = document.getElementById("choice");
const holder = document.getElementById("systems");
const folded = document.getElementById("folded");
const [today, historic] = holder.querySelectorAll("table");
const template = document.getElementById("row");
const status = document.getElementById("status");
const alone = document.getElementById("alone");
const more = document.getElementById("more");
const sliders = [...form.querySelectorAll('input[type="range"]')];
const presets = [...document.querySelectorAll("a[data-preset]")];
const fields = [...form.querySelectorAll("[data-filter]")];
const chosen = new Set();
const sorting = { key: "rank", down: false };
/** Rows of a group of today that are shown: a change of weights stays quick, however long the list is. */
let most = Number(holder.dataset.most);

/** Whether the systems that are chosen stand in the table alone, beside each other. */
const isAlone = () => alone.getAttribute("aria-pressed") === "true";

const counted = (number) => number.toLocaleString("en-US");

const weights = () => Object.fromEntries(sliders.map(({ name, value }) => [name, Number(value)]));

function filters() {
  const entries = fields.map((field) => [field.name, field.type === "checkbox" ? field.checked : field.value.trim()]);
  return Object.fromEntries(entries);
}

const within = (value, from, to) =>
  (from === "" && to === "") || (value !== null && (from === "" || value >= from) && (to === "" || value <= to));

function passes(standing, wanted) {
  const words = wanted.search.toLowerCase().split(/\s+/);
  return (
    (!isAlone() || chosen.has(standing.system)) &&
    words.every((word) => standing.searched.includes(word)) &&
    within(standing.year, wanted.year_from, wanted.year_to) &&
    within(standing.processes, wanted.processes_from, wanted.processes_to)
  );
}

function sortValue({ standing, place }) {
  const { key } = sorting;
  if (key === "rank") return place ? place.rank : null;
  if (["name", "year", "processes"].includes(key)) return standing[key];
  return standing.figures[criteria.findIndex((one) => one.key === key)];
}

function inOrder(rows) {
  const less = criteria.find(({ key }) => key === sorting.key)?.less_is_better;
  const up = (["rank", "name"].includes(sorting.key) || less) !== sorting.down;
  const valued = rows.map((row) => [sortValue(row), row]);
  return valued
    .sort(([a, one], [b, other]) => {
      if ((a === null) !== (b === null)) return a === null ? 1 : -1;
      if (a === b) return one.standing.id - other.standing.id;
      return a < b === up ? -1 : 1;
    })
    .map(([, row]) => row);
}

/** The columns that are not empty in some rows, and those that they are ranked by. */
function columnsOf(rows, wanted) {
  const weighted = Object.keys(wanted).filter((key) => wanted[key] > 0);
  const filled = rows.flatMap(({ standing }) => standing.fills);
  return new Set([...filled, ...weighted, ...(weighted.length > 1 ? ["score"] : [])]);
}

/** How sure a rank among others is: where it could be, or why nothing is known of that; as beff.list.pages says it. */
function sureness({ standing: { runs }, place, among }, wanted) {
  if (!place) return "not ranked";
  const words = place.best === place.worst ? [] : [`${place.best} to ${place.worst}`];
  const weighted = criteria.filter(({ key, benchmark }) => wanted[key] && runs[benchmark]).map(({ benchmark }) => runs[benchmark]);
  if (weighted.includes(1)) words.push("1 run");
  else if (among === 1) words.push("only one");
  return words.join(", ") || (weighted.length ? "firm" : "");
}

function rowOf(ranked, wanted, columns) {
  const { standing, place } = ranked;
  const { name, system } = standing;
  const row = template.content.firstElementChild.cloneNode(true);
  const cells = Object.fromEntries([...row.querySelectorAll("[data-cell]")].map((cell) => [cell.dataset.cell, cell]));
  const firm = sureness(ranked, wanted);
  const texts = { ...standing.texts, name, firm, ...(place && { rank: place.rank, score: (100 * place.score).toFixed(1) }) };
  for (const [cell, text] of Object.entries(texts)) cells[cell].textContent = text;
  criteria.forEach((criterion, index) => {
    const cell = cells[criterion.key].closest("td");
    cell.classList.toggle("absent", standing.figures[index] === null);
    cell.hidden = !columns.has(criterion.key);
  });
  cells.score.hidden = !columns.has("score");
  cells.year.hidden = !columns.has("year");
  cells.interconnect.closest("td").hidden = !columns.has("hardware");
  cells.name.href += `${system}.html`;
  for (const mark of row.querySelectorAll("[data-mark]")) {
    mark.hidden = !standing.marks.includes(mark.dataset.mark);
  }
  cells.pick.value = system;
  cells.pick.checked = chosen.has(system);
  cells.pick.setAttribute("aria-label", `choose ${name}`);
  row.classList.toggle("unranked", !place);
  return row;
}

const ALWAYS = ["rank", "name", "processes"];

function showHeads(table, wanted, columns) {
  for (const head of table.querySelectorAll("thead th[data-key]")) {
    const { key } = head.dataset;
    head.hidden = !columns.has(key) && !ALWAYS.includes(key);
    head.classList.toggle("weighted", wanted[key] > 0);
    if (key === sorting.key) head.setAttribute("aria-sort", sorting.down ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  }
}

function showWeights(wanted) {
  for (const slider of sliders) form.querySelector(`output[for="${slider.id}"]`).value = slider.value;
  const moved = sliders.filter(({ value }) => Number(value) > 0);
  const total = (some) => Object.values(some).reduce((sum, weight) => sum + weight, 0);
  for (const preset of presets) {
    const own = JSON.parse(preset.dataset.preset);
    const alike = sliders.every(({ name }) => wanted[name] / total(wanted) === (own[name] || 0) / total(own));
    if (alike) preset.setAttribute("aria-current", "true");
    else preset.removeAttribute("aria-current");
  }
  const isPreset = presets.some((preset) => preset.hasAttribute("aria-current"));
  const words = moved.map((slider) => `${slider.labels[0].textContent} ${Number(slider.value)}`);
  document.getElementById("weights-chosen").textContent = isPreset ? "" : `: ${words.join(", ") || "none"}`;
}

/** Keep what differs from the default in the address, behind the sign that no server sees. */
function remember() {
  const query = new URLSearchParams();
  for (const slider of sliders) if (slider.value !== slider.defaultValue) query.set(`w_${slider.name}`, slider.value);
  for (const [name, value] of Object.entries(filters())) {
    if (value !== "" && value !== false && !(name === "used" && value === "half")) query.set(name, value);
  }
  if (folded.open) query.set("historic", "true");
  if (sorting.key !== "rank" || sorting.down) query.set("sort", (sorting.down ? "-" : "") + sorting.key);
  history.replaceState(null, "", `#${query}`);
}

function recall() {
  const query = new URLSearchParams(location.hash.slice(1));
  for (const slider of sliders) slider.value = query.get(`w_${slider.name}`) ?? slider.defaultValue;
  for (const field of fields) {
    const value = query.get(field.name);
    if (field.type === "checkbox") field.checked = value === "true";
    else field.value = value ?? (field.name === "used" ? "half" : "");
  }
  folded.open = query.get("historic") === "true";
  const sort = query.get("sort") || "rank";
  sorting.down = sort.startsWith("-");
  sorting.key = sort.replace("-", "");
}

function rowsIn(body, wanted, chosenFilters) {
  const files = criteria.some(({ key, benchmark }) => benchmark === "b_eff_io" && wanted[key]);
  const isIn = ({ group, used }) => group === body.dataset.group && used.includes(chosenFilters.used);
  const isSeen = files || !body.hasAttribute("data-apart");
  const there = standings.filter((one) => isSeen && isIn(one) && passes(one, chosenFilters));
  const places = new Map(rank(there, criteria, wanted).map((place) => [place.id, place]));
  const among = places.size;
  return inOrder(there.map((standing) => ({ standing, place: places.get(standing.id), among })));
}

/** Fills a table; returns how many of its rows have a rank, how many there are, and how many are left out. */
function fill(table, wanted, longest) {
  const chosenFilters = filters();
  const groups = [...table.tBodies].map((body) => [body, rowsIn(body, wanted, chosenFilters)]);
  const all = groups.flatMap(([, rows]) => rows);
  const columns = columnsOf(all, wanted);
  for (const [body, rows] of groups) {
    const heading = body.querySelector("tr.group");
    const shown = rows.slice(0, longest).map((row) => rowOf(row, wanted, columns));
    body.replaceChildren(...(heading ? [heading] : []), ...shown);
    body.hidden = rows.length === 0;
  }
  table.closest(".scroll").hidden = all.length === 0;
  showHeads(table, wanted, columns);
  const left = groups.reduce((sum, [, rows]) => sum + Math.max(0, rows.length - longest), 0);
  return [all.filter(({ place }) => place).length, all.length, left];
}

function show() {
  const wanted = weights();
  const [ranked, all, left] = fill(today, wanted, most);
  const [, old] = fill(historic, wanted, Infinity);
  more.hidden = left === 0;
  more.textContent = `Show the other ${counted(left)}`;
  folded.hidden = old === 0;
  document.getElementById("folded-count").textContent = counted(old);
  if (all === 0) folded.open = true;
  showWeights(wanted);
  status.textContent = `${counted(ranked)} of ${counted(all)} systems of today ranked`;
}

function change() {
  show();
  remember();
}

function showChosen() {
  alone.disabled = chosen.size === 0 && !isAlone();
  document.getElementById("chosen-count").textContent = counted(chosen.size);
}

for (const head of holder.querySelectorAll("thead th[data-sort]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => {
    sorting.down = sorting.key === head.dataset.key && !sorting.down;
    sorting.key = head.dataset.key;
    change();
  });
}
for (const preset of presets) {
  preset.addEventListener("click", (event) => {
    event.preventDefault();
    const own = JSON.parse(preset.dataset.preset);
    for (const slider of sliders) slider.value = own[slider.name] || 0;
    [sorting.key, sorting.down] = ["rank", false];
    change();
  });
}
holder.addEventListener("change", ({ target }) => {
  if (target.checked) chosen.add(target.value);
  else chosen.delete(target.value);
  showChosen();
  if (isAlone()) show();
});
alone.addEventListener("click", () => {
  alone.setAttribute("aria-pressed", String(!isAlone()));
  showChosen();
  show();
});
more.addEventListener("click", () => {
  most = Infinity;
  show();
  document.querySelector(".scroll").focus({ preventScroll: true });
});
folded.addEventListener("toggle", remember);
form.addEventListener("input", change);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(change));
addEventListener("hashchange", () => {
  recall();
  show();
});
for (const part of document.querySelectorAll("[data-with-script]")) part.hidden = false;
for (const part of document.querySelectorAll("[data-without-script]")) part.hidden = true;
recall();
show();
showChosen();
