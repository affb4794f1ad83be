// Columns of a sortable table: a click sorts, another one turns the order round.
{
  // A number where the cell begins with one (grouped digits, a minus sign), else its text.
  const key = (cell) => {
    const text = cell.dataset.value ?? cell.firstChild?.textContent.trim() ?? "";
    const number = Number.parseFloat(text.replace(/[\u202f\u00a0]/g, "").replace("\u2212", "-"));
    return Number.isNaN(number) ? text : number;
  };
  const compare = (a, b) => {
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
  };

  const sort = (table, head, column) => {
    const down = head.getAttribute("aria-sort") === "ascending";
    table.querySelectorAll("thead th").forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    for (const body of table.tBodies) {
      const rows = [...body.rows].map((row) => ({ row, key: key(row.cells[column]) }));
      rows.sort((a, b) => (down ? compare(b.key, a.key) : compare(a.key, b.key)));
      body.append(...rows.map(({ row }) => row));
    }
  };

  document.querySelectorAll("table.sortable").forEach((table) => {
    [...table.tHead.rows].at(-1).querySelectorAll("th").forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, head, column));
      head.append(button);
    });
  });
}
