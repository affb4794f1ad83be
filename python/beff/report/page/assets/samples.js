// The loops behind a message size: drawn from the embedded samples when asked for.
{
  const MB = 1e6;
  const NS = 1e9;
  const RATES = [["TB/s", 1e6], ["GB/s", 1e3], ["MB/s", 1], ["kB/s", 1e-3]];

  // A rate as numbers.py writes it: three digits in the unit that suits it.
  const rate = (MBps) => {
    if (MBps === null) return "–";
    const [unit, length] = RATES.find(([, one]) => Number((MBps / one).toPrecision(3)) >= 1) ?? RATES.at(-1);
    const value = MBps / length;
    return `${value < 100 ? value.toPrecision(3) : value.toFixed(0)} ${unit}`;
  };

  // All loops of a pattern and size, fastest first. The columns are those of samples_json.py.
  const loopsOf = (data, pattern, size) => {
    const loops = [];
    data.pattern.forEach((id, i) => {
      if (id !== pattern || data.size[i] !== size) return;
      const moved = data.sizes[size] * data.messages[pattern] * data.loop[i];
      loops.push({
        method: data.methods[data.method[i]],
        repetition: data.repetition[i] + 1,
        length: data.loop[i],
        slowest: data.ns[i],
        mean: data.ns[i] - data.mean[i],
        fastest: data.ns[i] - data.shortest[i],
        rank: data.rank[i],
        host: data.hosts[data.rank[i]] ?? "",
        bandwidth: data.ns[i] > 0 ? moved / (data.ns[i] / NS) / MB : null,
      });
    });
    return loops.sort((a, b) => (b.bandwidth ?? 0) - (a.bandwidth ?? 0));
  };

  const columns = [
    ["method", (loop) => loop.method],
    ["repetition", (loop) => loop.repetition],
    ["loop length", (loop) => loop.length],
    ["slowest µs", (loop) => (loop.slowest / 1e3).toFixed(1)],
    ["mean µs", (loop) => (loop.mean / 1e3).toFixed(1)],
    ["fastest µs", (loop) => (loop.fastest / 1e3).toFixed(1)],
    ["slowest rank", (loop) => loop.rank],
    ["on host", (loop) => loop.host],
    ["bandwidth", (loop) => rate(loop.bandwidth)],
  ];

  const element = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
    return made;
  };

  const tableOf = (loops) => {
    const table = element("table", undefined, { class: "numbers" });
    const head = table.createTHead().insertRow();
    columns.forEach(([name]) => head.append(element("th", name, { scope: "col" })));
    const body = table.createTBody();
    loops.forEach((loop, place) => {
      const row = body.insertRow();
      if (place === 0) row.className = "best";
      columns.forEach(([, text]) => row.append(element("td", text(loop))));
    });
    return table;
  };

  const embedded = new Map();
  const samples = (number) => {
    if (!embedded.has(number)) {
      const source = document.getElementById(`samples-${number}`);
      embedded.set(number, source && JSON.parse(source.textContent));
    }
    return embedded.get(number);
  };

  const toggle = (button, row, number, pattern) => {
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    if (open) {
      row.nextElementSibling.remove();
      return;
    }
    const below = element("tr", undefined, { class: "loops-row" });
    const cell = element("td", undefined, { colspan: row.cells.length });
    const data = samples(number);
    cell.append(tableOf(loopsOf(data, pattern, data.sizes.indexOf(Number(row.cells[0].dataset.value)))));
    below.append(cell);
    row.after(below);
  };

  document.querySelectorAll("[data-samples]").forEach((box) => {
    if (!document.getElementById(`samples-${box.dataset.samples}`)) return;
    box.querySelectorAll("tbody tr").forEach((row) => {
      const head = row.cells[0];
      const button = element("button", head.textContent, {
        type: "button", class: "loops", "aria-expanded": "false",
        "aria-label": `${head.textContent}: all loops`,
      });
      button.addEventListener("click", () =>
        toggle(button, row, box.dataset.samples, Number(box.dataset.pattern)));
      head.replaceChildren(button);
    });
  });
  document.querySelectorAll(".with-script").forEach((text) => { text.hidden = false; });
}
