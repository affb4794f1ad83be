/* Figures as people read them: the same words as beff.list.pages. */

const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");

/** A figure with three digits. */
export function figure(value) {
  if (value >= 100 || Number.isInteger(value)) return grouped(value.toFixed(0));
  if (value < 1e-6) return value.toExponential(2);
  const three = value.toPrecision(3);
  return Number(three) === value ? String(value) : three;
}

/** A figure of a system in the unit for people, or why there is none. */
export function shownFigure(standing, criteria, place) {
  const value = standing.figures[place];
  if (value === null) return standing.whys[place] || criteria[place].absent;
  return figure(value * criteria[place].factor);
}

export const gbps = (values) => values.map((value) => figure(value * 1e-3)).join(" / ");

/** How many processes, or nodes where nobody counted processes, on what part of the machine. */
export function size({ processes, nodes, share }) {
  const count = processes === null ? `${figure(nodes)} node${nodes === 1 ? "" : "s"}` : figure(processes);
  return share === null ? count : `${count} (${Math.floor(100 * Math.min(1, share) + 0.5)} %)`;
}

/** The same of the runs that the figures of a system are of: two where they differ. */
export function sizes({ parts }) {
  const [first, other = first] = parts.map(size);
  return first === other ? [first, ""] : [`b_eff: ${first}`, `b_eff_io: ${other}`];
}

/** How sure a rank among others is: where it could be, or why nothing is known of that. */
export function sureness(place, among, runs) {
  if (!place) return "not ranked";
  const words = place.best === place.worst ? [] : [`${place.best} to ${place.worst}`];
  if (runs === 1) words.push("1 run");
  else if (among === 1) words.push("only one");
  return words.join(", ") || (runs ? "firm" : "");
}

/** How many runs the figures with a weight have at least; null for figures as printed. */
export function fewestRuns({ parts }, criteria, weights) {
  const isWeighted = (part) => criteria.some(({ key, benchmark }) => weights[key] && benchmark === part.benchmark);
  const runs = parts.filter((part) => part.group !== "historic" && isWeighted(part)).map((part) => part.runs);
  return runs.length ? Math.min(...runs) : null;
}
