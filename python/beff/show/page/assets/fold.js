// Folded sections: a link opens the one that it leads to, the button all of them.
{
  const folds = [...document.querySelectorAll("details.fold")];
  const button = document.getElementById("unfold");
  const openTarget = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target === null) return;
    const own = target.querySelector(":scope > details.fold");
    for (const fold of folds) if (fold === own || fold.contains(target)) fold.open = true;
    target.scrollIntoView();
  };
  button.addEventListener("click", () => {
    const open = folds.some((fold) => !fold.open);
    for (const fold of folds) fold.open = open;
    button.textContent = open ? "Fold all" : "Unfold all";
  });
  addEventListener("hashchange", openTarget);
  openTarget();
  button.hidden = folds.length === 0;
}
