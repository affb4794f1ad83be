/* Personal ranking in the browser: the same formula as beff.list.ranking, which explains it. */

export const WEIGHT_CHANGE = 0.2;
const KEY_UNIT = 1e-9;

/** Place of the first number in an ascending array that is larger than the key. */
function firstLarger(inOrder, key) {
  let low = 0;
  let high = inOrder.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (inOrder[middle] <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

const better = (inOrder, key) => inOrder.length - firstLarger(inOrder, key);
const keyOf = (score) => Math.floor(score / KEY_UNIT + 0.5);
const ascending = (a, b) => a - b;

function weightedSum(logs, weights) {
  let total = 0;
  for (let index = 0; index < logs.length; index += 1) total += weights[index] * logs[index];
  return total;
}

/** Which weight is changed by how much: none, then each alone down and up. */
function variations(weights) {
  const varied = [[0, 0]];
  weights.forEach((weight, place) => {
    varied.push([place, -WEIGHT_CHANGE * weight], [place, WEIGHT_CHANGE * weight]);
  });
  return varied;
}

/**
 * Rank candidates {id, figures, low, high}; figures stand in the order of the criteria
 * {key, less_is_better}, null where not measured. Weights are an object by key.
 * Returns [{id, score, rank, best, worst}], the best first; incomplete systems are left out.
 */
export function rank(candidates, criteria, weights) {
  const chosen = criteria
    .map((criterion, place) => ({
      place,
      weight: weights[criterion.key] || 0,
      sign: criterion.less_is_better ? -1 : 1,
    }))
    .filter((entry) => entry.weight > 0);
  const complete = candidates.filter((candidate) =>
    chosen.every(({ place }) => (candidate.figures[place] || 0) > 0),
  );
  if (chosen.length === 0 || complete.length === 0) return [];

  const bests = chosen.map(({ place, sign }) =>
    complete.reduce((best, { figures }) => Math.max(best, sign * Math.log(figures[place])),
      -Infinity),
  );
  const logsOf = (row) =>
    chosen.map(({ place, sign }, index) => sign * Math.log(row[place] || 1) - bests[index]);
  const own = complete.map(({ figures }) => logsOf(figures));
  const low = complete.map((candidate) => logsOf(candidate.low));
  const high = complete.map((candidate) => logsOf(candidate.high));

  const chosenWeights = chosen.map(({ weight }) => weight);
  const whole = chosenWeights.reduce((sum, weight) => sum + weight, 0);
  const sumsOf = (rows) => rows.map((row) => weightedSum(row, chosenWeights));
  const [sums, lowSums, highSums] = [own, low, high].map(sumsOf);
  const best = complete.map(() => complete.length);
  const worst = complete.map(() => 1);
  for (const [place, change] of variations(chosenWeights)) {
    const keysOf = (totals, rows) =>
      totals.map((total, index) => keyOf((total + change * rows[index][place]) / (whole + change)));
    const keys = keysOf(sums, own);
    const lifted = keysOf(highSums, high);
    const sunken = keysOf(lowSums, low);
    const inOrder = keys.slice().sort(ascending);
    keys.forEach((key, index) => {
      const first = better(inOrder, Math.max(key, lifted[index])) + 1;
      const last =
        better(inOrder, Math.min(key, sunken[index])) + (sunken[index] >= key ? 1 : 0);
      best[index] = Math.min(best[index], first);
      worst[index] = Math.max(worst[index], last);
    });
  }
  const ordered = sums.map((total) => keyOf(total / whole)).sort(ascending);
  return complete
    .map(({ id }, index) => ({
      id,
      score: Math.exp(sums[index] / whole),
      rank: better(ordered, keyOf(sums[index] / whole)) + 1,
      best: best[index],
      worst: worst[index],
    }))
    .sort((a, b) => a.rank - b.rank || a.id - b.id);
}
