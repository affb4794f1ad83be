// The points of a diagram, by pointer and by keys. Each point's title says what it shows.
{
  const NEAR = 28; // CSS pixels from the pointer within which a point is meant
  const STEPS = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
  const JUMPS = { ArrowDown: 1, ArrowUp: -1 };

  // Marks and entries of legends have a name of their series as colour; of levels also a strength.
  const seriesOf = (mark) => {
    const look = `${mark.getAttribute("stroke")} ${mark.getAttribute("fill")}`;
    return `${/var\(--s[^)]*\)/.exec(look)} ${mark.getAttribute("opacity") ?? 1}`;
  };

  const live = (box) => {
    const points = [...box.querySelectorAll(".point")].map((mark) => {
      const title = mark.querySelector("title");
      title.remove(); // its text is shown by the tip from now on
      return { mark, text: title.textContent, series: seriesOf(mark), panel: mark.parentNode };
    });
    const tip = document.createElement("div");
    let current = null;
    let chosen = null;

    // Measure the centres in pixels from the box's corner, scrolled parts included.
    const measure = () => {
      const frame = box.getBoundingClientRect();
      for (const point of points) {
        const { left, top, width, height } = point.mark.getBoundingClientRect();
        point.x = left + width / 2 - frame.left + box.scrollLeft;
        point.y = top + height / 2 - frame.top + box.scrollTop;
      }
    };

    const show = (point) => {
      current?.mark.classList.remove("pointed");
      current = point;
      tip.textContent = point?.text ?? "";
      if (!point) return;
      point.mark.classList.add("pointed");
      const right = box.scrollLeft + box.clientWidth;
      const wide = Math.min(tip.offsetWidth, box.clientWidth);
      const above = point.y - tip.offsetHeight - 12;
      tip.style.left = `${Math.max(box.scrollLeft, Math.min(point.x + 14, right - wide - 2))}px`;
      tip.style.top = `${above < 0 ? point.y + 14 : above}px`;
    };

    // Fade all marks but those of a series; the same series again, or none, shows all.
    const choose = (series) => {
      chosen = chosen === series ? null : series;
      for (const mark of box.querySelectorAll(".mark-line path, .mark-area path, .point")) {
        mark.classList.toggle("faded", chosen !== null && seriesOf(mark) !== chosen);
      }
    };

    // Points of the same series and panel, from left to right.
    const isAlike = (one) => (other) => one.series === other.series && one.panel === other.panel;
    const line = (point) => points.filter(isAlike(point)).sort((a, b) => a.x - b.x);

    // The point of the next or previous series (then panel) that is nearest from left to right.
    const jump = (step) => {
      const heads = points.filter((point) => points.find(isAlike(point)) === point);
      const at = heads.findIndex(isAlike(current));
      const gap = (point) => Math.abs(point.x - current.x);
      const next = line(heads[(at + step + heads.length) % heads.length]);
      return next.reduce((best, point) => (gap(point) < gap(best) ? point : best));
    };

    // The point to show, null for none; undefined for a key that is not ours.
    const meant = (key) => {
      if (key === "Escape") {
        choose(null);
        return null;
      }
      const isEnter = key === "Enter" || key === " ";
      if (!(isEnter || key in STEPS || key in JUMPS)) return undefined;
      measure();
      if (!current) return line(points[0])[0];
      if (isEnter) {
        choose(current.series);
        return current;
      }
      if (key in JUMPS) return jump(JUMPS[key]);
      const own = line(current);
      return own[Math.max(0, Math.min(own.length - 1, own.indexOf(current) + STEPS[key]))];
    };

    tip.className = "tip";
    tip.setAttribute("role", "status");
    box.append(tip);
    box.setAttribute("role", "application");
    box.setAttribute("aria-roledescription", "diagram");
    box.classList.add("live");
    box.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const point = meant(event.key);
      if (point === undefined) return;
      event.preventDefault();
      show(point);
      point?.mark.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
    box.addEventListener("blur", () => show(null));
    box.addEventListener("pointerenter", measure);
    box.addEventListener("pointermove", (event) => {
      const frame = box.getBoundingClientRect();
      const [x, y] = [event.clientX - frame.left + box.scrollLeft, event.clientY - frame.top + box.scrollTop];
      const distance = (point) => Math.hypot(point.x - x, point.y - y);
      const near = points.filter((point) => distance(point) < NEAR && !point.mark.classList.contains("faded"));
      const nearest = near.sort((a, b) => distance(a) - distance(b))[0] ?? null;
      if (nearest !== current) show(nearest);
    });
    box.addEventListener("pointerleave", () => show(null));
    for (const legend of box.querySelectorAll(".role-legend")) {
      const names = legend.querySelectorAll(".role-legend-label text");
      legend.querySelectorAll(".role-legend-symbol path").forEach((symbol, i) => {
        for (const part of [symbol, names[i]].filter(Boolean)) {
          part.classList.add("entry");
          part.addEventListener("click", () => choose(seriesOf(symbol)));
        }
      });
    }
  };

  for (const box of document.querySelectorAll(".chart")) if (box.querySelector(".point")) live(box);
}
