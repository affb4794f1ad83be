// The points of a diagram, by pointer and by keys. Each point's title says what it shows.
{
  const NEAR = 28; // CSS pixels from the pointer within which a point is meant
  const STEPS = { ArrowRight: 1, ArrowLeft: -1 };
  const JUMPS = { ArrowDown: 1, ArrowUp: -1 };

  // An entry of a legend has the id of a series; a mark has one of each legend.
  const belongs = (mark, entry) => mark.dataset.series?.split(" ").includes(entry.dataset.series);

  class Chart {
    constructor(box) {
      this.box = box;
      this.points = [...box.querySelectorAll(".point")];
      this.marks = [...box.querySelectorAll(".role-mark [data-series], .point")];
      this.texts = this.points.map((point) => {
        const title = point.querySelector("title");
        title.remove(); // its text is shown by the tip from now on
        return title.textContent;
      });
      this.series = this.points.map((point) => point.dataset.series);
      this.panels = this.points.map((point) => point.parentNode);
      this.current = -1;
      this.chosen = null;
      this.addTip();
      this.addKeys();
      this.addPointer();
      this.addLegend();
    }

    addTip() {
      this.tip = document.createElement("div");
      this.tip.className = "tip";
      this.tip.setAttribute("role", "status");
      this.box.append(this.tip);
    }

    // Centres in pixels from the box's corner, scrolled parts included.
    places() {
      const frame = this.box.getBoundingClientRect();
      return this.points.map((point) => {
        const { left, top, width, height } = point.getBoundingClientRect();
        return {
          x: left + width / 2 - frame.left + this.box.scrollLeft,
          y: top + height / 2 - frame.top + this.box.scrollTop,
        };
      });
    }

    show(index, place = this.places()[index]) {
      this.points[this.current]?.classList.remove("pointed");
      this.current = index;
      if (index < 0) {
        this.tip.textContent = "";
        return;
      }
      this.points[index].classList.add("pointed");
      this.tip.textContent = this.texts[index];
      const right = this.box.scrollLeft + this.box.clientWidth;
      const wide = Math.min(this.tip.offsetWidth, this.box.clientWidth);
      const x = Math.max(this.box.scrollLeft, Math.min(place.x + 14, right - wide - 2));
      const above = place.y - this.tip.offsetHeight - 12;
      this.tip.style.left = `${x}px`;
      this.tip.style.top = `${above < 0 ? place.y + 14 : above}px`;
    }

    // Points of the same series and panel, from left to right.
    neighbours(index, places) {
      return this.points.map((_, i) => i)
        .filter((i) => this.series[i] === this.series[index] && this.panels[i] === this.panels[index])
        .sort((a, b) => places[a].x - places[b].x);
    }

    // The point of the next or previous series (then panel) that is nearest from left to right.
    otherSeries(step, places) {
      const heads = [];
      this.points.forEach((_, i) => {
        if (!heads.some((h) => this.series[h] === this.series[i] && this.panels[h] === this.panels[i])) heads.push(i);
      });
      const own = this.neighbours(this.current, places);
      const at = heads.findIndex((head) => own.includes(head));
      const next = this.neighbours(heads[(at + step + heads.length) % heads.length], places);
      const gap = (i) => Math.abs(places[i].x - places[this.current].x);
      return next.reduce((best, i) => (gap(i) < gap(best) ? i : best));
    }

    addKeys() {
      this.box.setAttribute("role", "application");
      this.box.setAttribute("aria-roledescription", "diagram");
      this.box.classList.add("live");
      this.box.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        const target = this.keyTarget(event.key);
        if (target === undefined) return;
        event.preventDefault();
        this.show(target);
        if (target >= 0) this.points[target].scrollIntoView({ block: "nearest", inline: "nearest" });
      });
      this.box.addEventListener("blur", () => this.show(-1));
    }

    // Index of the point to show, -1 for none; undefined for a key that is not ours.
    keyTarget(key) {
      if (key === "Escape") {
        this.choose(null);
        return -1;
      }
      if (!(key in STEPS || key in JUMPS || ["Home", "End", "Enter", " "].includes(key))) return undefined;
      const places = this.places();
      if (this.current < 0) return this.neighbours(0, places)[0];
      if (key === "Enter" || key === " ") {
        const series = this.series[this.current];
        this.choose(this.chosen === series ? null : series, (mark) => mark.dataset.series === series);
        return this.current;
      }
      if (key in JUMPS) return this.otherSeries(JUMPS[key], places);
      const line = this.neighbours(this.current, places);
      if (key === "Home") return line[0];
      if (key === "End") return line.at(-1);
      const place = line.indexOf(this.current) + STEPS[key];
      return line[Math.max(0, Math.min(line.length - 1, place))];
    }

    addPointer() {
      let places = null;
      this.box.addEventListener("pointerenter", () => { places = this.places(); });
      this.box.addEventListener("pointermove", (event) => {
        places ??= this.places();
        const frame = this.box.getBoundingClientRect();
        const x = event.clientX - frame.left + this.box.scrollLeft;
        const y = event.clientY - frame.top + this.box.scrollTop;
        let best = -1;
        let least = NEAR ** 2;
        places.forEach((place, i) => {
          const distance = (place.x - x) ** 2 + (place.y - y) ** 2;
          if (distance < least && !this.points[i].classList.contains("faded")) [best, least] = [i, distance];
        });
        if (best !== this.current) this.show(best, places[best]);
      });
      this.box.addEventListener("pointerleave", () => {
        places = null;
        this.show(-1);
      });
      addEventListener("resize", () => { places = null; });
    }

    addLegend() {
      this.box.querySelectorAll(".role-legend").forEach((legend) => {
        const symbols = [...legend.querySelectorAll(".role-legend-symbol path")];
        const names = [...legend.querySelectorAll(".role-legend-label text")];
        symbols.forEach((symbol, i) => {
          const name = symbol.dataset.series;
          const toggle = () => this.choose(this.chosen === name ? null : name, (mark) => belongs(mark, symbol));
          [symbol, names[i]].forEach((part) => {
            part?.classList.add("entry");
            part?.addEventListener("click", toggle);
          });
        });
      });
    }

    // Fade all marks but those of a series; a null name shows all again.
    choose(name, isOf = () => true) {
      this.chosen = name;
      this.marks.forEach((mark) => {
        mark.classList.toggle("faded", name !== null && !isOf(mark));
      });
    }
  }

  document.querySelectorAll(".chart").forEach((box) => {
    if (box.querySelector(".point")) new Chart(box);
  });
}
