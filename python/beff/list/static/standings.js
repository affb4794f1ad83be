/* What each system has to show in a ranking: the same choice as beff.list.standings, which explains it. */

const LEAST_SHARE = { whole: 0.95, half: 0.5, any: 0 };

/** The systems of data.js, in which words that repeat stand once, and figures of the other benchmark not at all. */
export function systemsOf({ criteria, words, systems }) {
  const wide = (benchmark, row) => {
    let place = 0;
    return criteria.map((one) => (one.benchmark === benchmark ? row[place++] : null));
  };
  const usualOf = ([group, benchmark, processes, nodes, share, year, runs, marks, figures, low, high, accesses, why]) => ({
    ...{ group, benchmark, processes, nodes, share, year, runs, marks, accesses, why },
    figures: wide(benchmark, figures),
    low: wide(benchmark, low || figures),
    high: wide(benchmark, high || figures),
  });
  return systems.map(([slug, name, rmax, year, facts, usual], id) => {
    const [site, cpus, accelerators, interconnect, fileSystem] = facts.map((place) => words[place]);
    const searched = [name, site, cpus, accelerators, interconnect, fileSystem].join("\n").toLowerCase();
    return { id, slug, name, rmax, year, site, cpus, interconnect, searched, usual: usual.map(usualOf) };
  });
}

/** A run without its figures, as it used too little of the machine; one that does not count has none. */
function withoutFigures(run) {
  if (!run || run.why) return run;
  const none = run.figures.map(() => null);
  return { ...run, marks: "", figures: none, low: none, high: none, why: run.share === null ? "size not known" : "on a part only" };
}

/** The highest usual run of those that are enough; where there is none, one that has no figures. */
function best(usual, criteria, isEnough) {
  const key = (one) => one.figures[criteria.findIndex(({ benchmark, value }) => value && benchmark === one.benchmark)];
  const highest = (some) => some.reduce((found, one) => (found && key(found) >= key(one) ? found : one), null);
  return highest(usual.filter((one) => !one.why && isEnough(one))) || withoutFigures(highest(usual));
}

/** A system in a group (historic, or a procedure of b_eff_io); null where it has nothing to show. */
export function standingOf(system, criteria, group, used) {
  const own = system.usual.filter((one) => one.group === group || (one.group === "" && group !== "historic"));
  const isEnough = ({ share }) => (share === null ? used !== "whole" : share >= LEAST_SHARE[used]);
  const messages = best(own.filter((one) => one.benchmark === "b_eff"), criteria, isEnough);
  const files = best(own.filter((one) => one.benchmark === "b_eff_io"), criteria, () => true);
  if (!messages && !files) return null;
  const row = (name) =>
    criteria.map(({ benchmark }, place) => {
      if (benchmark === null) return system.rmax;
      const part = benchmark === "b_eff" ? messages : files;
      return part ? part[name][place] : null;
    });
  const parts = [messages, files].filter((part) => part);
  return {
    ...{ id: system.id, system, messages, files, parts },
    year: system.year || Math.max(...parts.map(({ year }) => year || 0)) || null,
    whys: criteria.map(({ benchmark }) => parts.find((part) => part.benchmark === benchmark)?.why || ""),
    figures: row("figures"),
    low: row("low"),
    high: row("high"),
  };
}
