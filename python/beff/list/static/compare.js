/* Systems beside each other: each figure as a share of the best among them. */

import { standingOf, systemsOf } from "./standings.js";
import { shownFigure, size } from "./words.js";

const DATA = globalThis.BEFF_LIST;
const { criteria } = DATA;
const place = document.getElementById("comparison");

function element(name, text, attributes = {}) {
  const found = document.createElement(name);
  found.append(...[text].flat());
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, value);
  return found;
}

function bar(share, number) {
  const svg = "http://www.w3.org/2000/svg";
  const [picture, rect] = ["svg", "rect"].map((name) => document.createElementNS(svg, name));
  const attributes = { class: `bar series-${number}`, viewBox: "0 0 100 10", preserveAspectRatio: "none" };
  for (const [key, value] of Object.entries({ ...attributes, "aria-hidden": "true" })) picture.setAttribute(key, value);
  rect.setAttribute("width", (100 * share).toFixed(1));
  rect.setAttribute("height", "10");
  picture.append(rect);
  return picture;
}

function section(criterion, index, standings) {
  const known = standings.map(({ figures }) => figures[index]).filter((value) => value !== null);
  if (known.length === 0) return [];
  const best = criterion.less_is_better ? Math.min(...known) : Math.max(...known);
  const items = standings.map((standing, number) => {
    const value = standing.figures[index];
    const share = value === null ? 0 : criterion.less_is_better ? best / value : value / best;
    const shown = element("span", shownFigure(standing, criteria, index), { class: "value" });
    return element("li", [element("span", standing.system.name, { class: "name" }), bar(share, number + 1), shown]);
  });
  const unit = `${criterion.unit}${criterion.less_is_better ? ", less is better" : ""}`;
  const heading = element("h2", [`${criterion.label} `, element("small", unit)]);
  return [element("section", [heading, element("ul", items, { class: "bars" })])];
}

function show() {
  const query = new URLSearchParams(location.hash.slice(1));
  const known = new Map(systemsOf(DATA).map((system) => [system.slug, system]));
  const used = query.get("used") || "half";
  const wanted = query.getAll("s").slice(0, Number(place.dataset.most));
  const standings = wanted.flatMap((slug) => {
    const system = known.get(slug);
    const groups = system ? [...DATA.groups].map((group) => standingOf(system, criteria, group, used)) : [];
    return groups.filter((one) => one).slice(0, 1);
  });
  if (standings.length < 2) {
    place.replaceChildren(element("p", "Choose two or more systems in the list."));
    return;
  }
  const legend = standings.map((standing, number) => {
    const link = element("a", standing.system.name, { href: `${DATA.root}systems/${standing.system.slug}.html` });
    const runs = standing.parts.map((part) => `${part.benchmark}: ${size(part)}`).join("; ");
    return element("li", [link, " ", element("small", runs)], { class: `series-${number + 1}` });
  });
  const facts = [["Site", "site"], ["CPU", "cpus"], ["Interconnect", "interconnect"]].map(([label, name]) =>
    element("tr", [
      element("th", label, { scope: "row" }),
      ...standings.map(({ system }) => element("td", system[name] || "not known")),
    ]),
  );
  const heads = standings.map(({ system }) => element("th", system.name, { scope: "col" }));
  const table = element("table", [
    element("thead", element("tr", [element("td", ""), ...heads])),
    element("tbody", facts),
  ], { class: "plain" });
  place.replaceChildren(
    element("ul", legend, { class: "legend" }),
    element("p", "Bars are shares of the best of these systems; a longer bar is better, also where less is better."),
    ...criteria.flatMap((criterion, index) => section(criterion, index, standings)),
    element("h2", "Hardware"),
    element("div", table, { class: "scroll", role: "region", "aria-label": "Hardware", tabindex: "0" }),
  );
}

addEventListener("hashchange", show);
show();
