/* Figures as people read them: the same words as beff.list.words. */

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
  return value === null ? criteria[place].absent : figure(value * criteria[place].factor);
}

export const gbps = (values) => values.map((value) => figure(value * 1e-3)).join(" / ");

/** How many processes, or nodes where nobody counted processes, on what part of the machine. */
export function size({ processes, nodes, share }) {
  const count = processes === null ? `${figure(nodes)} node${nodes === 1 ? "" : "s"}` : figure(processes);
  return share === null ? count : `${count} (${Math.floor(100 * Math.min(1, share) + 0.5)} %)`;
}
