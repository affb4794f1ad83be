/* The page: it fills itself from data.js, ranks by ranking.js, and keeps what is chosen in its address. */

const { title, repository, figures, presets, systems } = globalThis.BEFF_LIST;
/** Fields of a system.yaml by which systems are chosen. */
const FACETS = ["site", "year", "interconnect", "cpus", "accelerators", "file_system"];
/** Figures that stand beside the value of a result. */
const BESIDE = ["at_lmax_MBps", "latency_us", "balance_bytes_per_flop", "write_MBps", "rewrite_MBps", "read_MBps"];
const GROUPS = [["Systems of today", false], ["Historic systems, as printed in their sources", true]];
const part = (id) => document.getElementById(id);
const form = part("choice");
/** The names of the systems whose rows are open. */
const opened = new Set();

/** Make an element. What others wrote gets in as text alone. */
function make(tag, fields, ...children) {
  const made = Object.assign(document.createElement(tag), fields);
  made.append(...children.filter((child) => child !== "" && child !== null && child !== undefined));
  return made;
}

const small = (text) => text && make("small", {}, text);
const head = (text, unit, className = "") => make("th", { scope: "col", className }, text, small(unit));
const DIGITS = { minimumSignificantDigits: 3, maximumSignificantDigits: 3 };
const number = (value, unit) => (unit === "MB/s" ? value / 1000 : value).toLocaleString("en-US", DIGITS);
const spaced = (name) => name.replaceAll("_", " ");
const unitOf = (unit) => (unit === "MB/s" ? "GB/s" : unit);
const measured = ({ value, unit }) => (value ? `${number(value, unit)} ${unitOf(unit)}` : "");

/** Say how many processes there were, or nodes where nobody counted those, on what part of the machine. */
function size({ processes, nodes, share }) {
  const many = (processes ?? nodes).toLocaleString("en-US") + (processes === null ? " nodes" : "");
  return share === null ? many : `${many} (${Math.min(100, Math.round(100 * share))}\u00a0%)`;
}

function passes({ name, hardware }) {
  const own = FACETS.map((key) => String(hardware[key] ?? ""));
  const words = [name, ...own].join("\n").toLowerCase();
  const searched = form.elements.search.value.toLowerCase().split(/\s+/);
  return searched.every((word) => words.includes(word)) &&
    FACETS.every((key, place) => ["", own[place]].includes(form.elements[key].value));
}

/** How sure a rank is: where it could be, or that one run tells nothing of that. */
function sureness({ standing: { system, by }, best, worst }, weights) {
  const runs = figures.filter((figure) => figure.by && weights[figure.key] > 0).map((figure) => by[figure.by].runs);
  const once = runs.includes(1) && !system.historic ? ["1 run"] : [];
  return [...(best < worst ? [`${best} to ${worst}`] : []), ...once].join(", ");
}

/** The row of a system and, where it is open, one with its hardware and results. */
function systemRows(place, weights, columns) {
  const { system, figures: values, why, by } = place.standing;
  const name = make("button", { type: "button", ariaExpanded: opened.has(system.name) }, system.name);
  name.addEventListener("click", () => {
    if (!opened.delete(system.name)) opened.add(system.name);
    change();
    [...document.querySelectorAll("tbody button")].find((one) => one.textContent === system.name).focus();
  });
  const runs = Object.values(by).flatMap(({ run }) => run ?? []);
  const sizes = new Set(runs.map((run) => (runs[0].benchmark === run.benchmark ? "" : "b_eff_io: ") + size(run)));
  const row = make("tr", { className: place.rank ? "" : "uncounted" },
    make("td", { className: "rank" }, String(place.rank ?? "–"), small(place.rank && sureness(place, weights))),
    make("th", { scope: "row" }, name, small(system.hardware.site)),
    make("td", { className: "words" }, system.hardware.interconnect, small(system.hardware.cpus)),
    make("td", {}, place.rank ? (100 * place.score).toFixed(1) : ""),
    ...columns.map(({ key, unit }) =>
      make("td", {}, values[key] ? number(values[key], unit) : small(why[key] || "–"))),
    make("td", {}, ...[...sizes].map((one, place) => (place ? small(one) : one))));
  return opened.has(system.name) ? [row, detailRow(system, row.children.length)] : [row];
}

function resultRow(result) {
  const beside = result.figures.filter(({ name, value }) => BESIDE.includes(name) && value);
  const said = beside.map((figure) => `${figure.label} ${measured(figure)}`).join(", ");
  const { reasons, steadiness, procedure, schedule, mpi, source } = result;
  const about = [...reasons, steadiness, procedure, schedule, mpi, source].filter(Boolean).join("; ");
  const time = (result.measured_at ?? "").slice(0, 16).replace("T", " ");
  return make("tr", { className: result.why ? "uncounted" : "" },
    make("th", { scope: "row" }, result.file ? make("a", { href: result.file, download: "" }, time) : time),
    make("td", {}, `${result.benchmark} ${result.definition ?? ""}`, small(size(result))),
    make("td", {}, measured(result.figures[0]), small(said)),
    make("td", {}, result.why || (result.valid ? "valid" : "as printed"), small(about)));
}

/** Hardware, and the results in their order in time, the newest first. */
function detailRow(system, colSpan) {
  const known = Object.entries(system.hardware).filter(([, value]) => value !== null);
  const facts = known.flatMap(([key, value]) => [make("dt", {}, spaced(key)), make("dd", {}, String(value))]);
  const heads = ["measured, UTC", "benchmark", "value", "validity"].map((text) => head(text));
  const body = make("tbody", {}, ...newestFirst(system.results).map(resultRow));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body);
  const left = system.refused.map((sentence) => make("p", {}, sentence));
  const box = make("div", {}, make("dl", {}, ...facts), table, ...left);
  return make("tr", { className: "detail" }, make("td", { colSpan }, box));
}

function show() {
  const weights = Object.fromEntries(figures.map(({ key }) => [key, Number(form.elements[key].value)]));
  const asked = { least: Number(form.elements.used.value), procedure: form.elements.procedure.value };
  const there = systems.filter(passes).map((system) => standing(system, figures, asked));
  const all = GROUPS.map(([text, historic]) =>
    [text, rank(there.filter(({ system }) => system.historic === historic), figures, weights)]);
  const groups = all.filter(([, rows]) => rows.length > 0);
  const places = groups.flatMap(([, rows]) => rows);
  const columns = figures.filter(({ key, shown }) =>
    weights[key] > 0 || (shown && places.some((place) => place.standing.figures[key])));
  const heads = [head("rank"), head("system", "", "name"), head("hardware", "", "words"), head("score", "%"),
    ...columns.map(({ key, label, unit }) => head(label, unitOf(unit), weights[key] > 0 ? "weighted" : "")),
    head("processes", "of the machine")];
  const bodies = groups.map(([text, rows]) => {
    const heading = make("th", { scope: "rowgroup", colSpan: heads.length }, text);
    const below = rows.flatMap((place) => systemRows(place, weights, columns));
    return make("tbody", {}, make("tr", { className: "group" }, heading), ...below);
  });
  part("systems").replaceChildren(make("thead", {}, make("tr", {}, ...heads)), ...bodies);
  part("status").textContent = `${places.filter((place) => place.rank).length} of ${places.length} systems ranked`;
  for (const { key } of figures) part(`is_${key}`).value = weights[key];
  for (const button of part("presets").children) {
    button.ariaPressed = figures.every(({ key }) => (presets[button.textContent][key] ?? 0) === weights[key]);
  }
}

/** Show, and keep what differs from the first look in the address, behind the sign that no server sees. */
function change() {
  const query = new URLSearchParams([...new FormData(form)].filter(([name, value]) => value !== initial[name]));
  for (const name of opened) query.append("open", name);
  history.replaceState(null, "", `#${query}`);
  show();
}

function recall() {
  const query = new URLSearchParams(location.hash.slice(1));
  for (const name of Object.keys(initial)) form.elements[name].value = query.get(name) ?? initial[name];
  opened.clear();
  query.getAll("open").forEach((name) => opened.add(name));
  show();
}

part("title").textContent = document.title = title;
Object.assign(part("submit"), { href: repository, hidden: !repository });
const [first] = Object.values(presets);
for (const { key, label, explanation, less_is_better: less } of figures) {
  const slider = { type: "range", id: key, name: key, max: 10, step: 0.5, value: first[key] ?? 0 };
  const name = make("label", { htmlFor: key }, `${label} `, make("output", { id: `is_${key}` }));
  const meaning = small(explanation + (less ? "; less is better" : ""));
  part("weights").append(make("div", {}, name, make("input", slider), meaning));
}
for (const key of FACETS) {
  const values = [...new Set(systems.map((system) => system.hardware[key] ?? ""))].filter(Boolean).sort();
  const all = make("option", { value: "" }, "any");
  const choice = make("select", { name: key }, all, ...values.map((value) => make("option", {}, `${value}`)));
  part("facets").append(make("label", { hidden: values.length < 2 }, `${spaced(key)} `, choice));
}
for (const [name, own] of Object.entries(presets)) {
  const weigh = () => figures.forEach(({ key }) => { form.elements[key].value = own[key] ?? 0; });
  part("presets").append(make("button", { type: "button", onclick: () => change(weigh()) }, name));
}
const initial = Object.fromEntries(new FormData(form));
form.addEventListener("input", change);
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", recall);
recall();
