"use strict";
/* The ranking: which run of a system counts, and its place by weights. The page and, in tests, node load this file.

score = (x_1^w_1 * ... * x_k^w_k) ^ (1 / (w_1 + ... + w_k)), where x = value / best of all, or best / value where less
is better. A geometric mean ranks alike whatever machine the figures are normalised to (P. J. Fleming, J. J. Wallace,
Communications of the ACM 29 (3), 1986). A system without a figure that has a weight has no rank: leaving the figure out
would reward not measuring. */

/** How far single weights are moved to see how sure a rank is. */
const WEIGHT_CHANGE = 0.2;
/** So many runs at most show what is usual. */
const NEWEST = 5;
/** The share from which on a run used the whole machine: some nodes are always out of order. */
const WHOLE = 0.95;
/** Scores that differ by less than this share are equal, whatever the last bit of a logarithm. */
const KEY_UNIT = 1e-9;

const valueOf = (result, name) => result.figures.find((one) => one.name === name)?.value || null;

const newestFirst = (results) => [...results].sort((a, b) => ((a.measured_at ?? "") < (b.measured_at ?? "") ? 1 : -1));

/** Say why a result does not count where runs are chosen by a figure; nothing where it does. */
function whyNot(result, by, { least, procedure }) {
  if (result.why) return result.why;
  if (result.procedure && result.procedure !== procedure) return `procedure ${result.procedure}`;
  if (!valueOf(result, by)) return "by another release";
  if (result.benchmark !== "b_eff") return "";
  if (result.share === null) return least < WHOLE ? "" : "size not known";
  return result.share < least ? "on a part only" : "";
}

/** Of runs alike, the middle one of the newest five, three or one. */
function usual(alike, by) {
  const newest = newestFirst(alike).slice(0, NEWEST);
  const odd = newest.slice(0, newest.length - 1 + (newest.length % 2));
  const inOrder = odd.sort((a, b) => valueOf(a, by) - valueOf(b, by));
  return { run: inOrder[odd.length >> 1], newest, runs: alike.length };
}

/** The usual run of the size with the highest value, or why there is none. */
function chosen(results, by, asked) {
  if (results.length === 0) return { why: "" };
  const counted = results.filter((one) => !whyNot(one, by, asked));
  if (counted.length === 0) return { why: whyNot(newestFirst(results)[0], by, asked) };
  const sizes = {};
  for (const one of counted) (sizes[`${one.processes} ${one.nodes}`] ??= []).push(one);
  const runs = Object.values(sizes).map((alike) => usual(alike, by));
  return runs.reduce((best, one) => (valueOf(one.run, by) > valueOf(best.run, by) ? one : best));
}

/**
 * What a system shows: figures by key, the worst (`low`) and the best of runs alike, `why` there is none, and what was
 * chosen by each name (`by`). Runs of b_eff count that used at `least` that share of the machine; full I/O bandwidth
 * may need fewer processes, and counts by one `procedure`.
 */
function standing(system, figures, asked) {
  const found = { system, figures: {}, low: {}, high: {}, why: {}, by: {} };
  for (const { key, name, benchmark, by, less_is_better: less } of figures) {
    const measured = system.results.filter((one) => one.benchmark === benchmark);
    const { run, newest, why } = by ? (found.by[by] ??= chosen(measured, by, asked)) : {};
    const own = by ? run && valueOf(run, name) : system.hardware[name];
    const values = (newest ?? []).map((one) => valueOf(one, name)).filter(Boolean);
    const ends = [Math.min(...values, own), Math.max(...values, own)];
    found.figures[key] = own;
    [found.low[key], found.high[key]] = less ? ends.reverse() : ends;
    found.why[key] = own ? "" : why;
  }
  return found;
}

/**
 * Rank what `standing` returns: {standing, score, rank, best, worst}, the best first; behind them, as {standing} alone,
 * those without a figure that has a weight. `best` to `worst` covers each weight alone WEIGHT_CHANGE off, with the
 * worst and the best runs.
 */
function rank(standings, figures, weights) {
  const wanted = figures.filter(({ key }) => weights[key] > 0);
  const isComplete = (one) => wanted.length > 0 && wanted.every(({ key }) => one.figures[key] > 0);
  const complete = standings.filter(isComplete);
  const signed = (one, side) => wanted.map((it) => (it.less_is_better ? -1 : 1) * Math.log(one[side][it.key]));
  const sides = ["figures", "low", "high"].map((side) => complete.map((one) => signed(one, side)));
  const most = wanted.map((_, place) => Math.max(...sides[0].map((row) => row[place])));
  const given = wanted.map(({ key }) => weights[key]);
  const moved = (factor) => given.map((_, place) => given.map((one, at) => (at === place ? factor * one : one)));
  const scoreOf = (row, by) => {
    const sum = by.reduce((all, weight, place) => all + weight * (row[place] - most[place]), 0);
    return sum / by.reduce((all, weight) => all + weight, 0);
  };
  const scores = sides[0].map((row) => Math.exp(scoreOf(row, given)));
  const places = complete.map((one, at) => ({ standing: one, score: scores[at], best: Infinity, worst: 0 }));
  for (const by of [given, ...moved(1 - WEIGHT_CHANGE), ...moved(1 + WEIGHT_CHANGE)]) {
    const keysOf = (rows) => rows.map((row) => Math.round(scoreOf(row, by) / KEY_UNIT));
    const [keys, low, high] = sides.map(keysOf);
    const above = (key) => keys.reduce((many, other) => many + (other > key), 0);
    places.forEach((place, at) => {
      place.rank ??= above(keys[at]) + 1;
      place.best = Math.min(place.best, above(Math.max(keys[at], high[at])) + 1);
      place.worst = Math.max(place.worst, above(Math.min(keys[at], low[at])) + (low[at] < keys[at] ? 0 : 1));
    });
  }
  const others = standings.filter((one) => !isComplete(one)).map((one) => ({ standing: one }));
  return [...places.sort((a, b) => a.rank - b.rank), ...others];
}

if (typeof module !== "undefined") module.exports = { standing, rank };
