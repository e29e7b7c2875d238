// Filters, keys and printing. The report reads the same without this script: it only hides, shows and opens what is there.
"use strict";
(() => {
  const form = document.querySelector(".filters");
  const pairs = [...document.querySelectorAll(".pair")];
  const clusters = [...document.querySelectorAll(".cluster")];
  const folds = [...document.querySelectorAll(".rest, .advisory")];

  // Which <details> a filter opened, so that clearing it closes them again and leaves the reader's own as they are.
  const opened = new Set();
  let texts = null;

  /** What the search looks at: the fact's heading and documents, and everything in the pair. Read once, on the first search. */
  function searchable() {
    texts ??= new Map(pairs.map((pair) => {
      const cluster = pair.closest(".cluster");
      const head = cluster.querySelector("h2").textContent + " " + cluster.querySelector(".values").textContent;
      return [pair, (head + " " + pair.textContent).toLowerCase()];
    }));
    return texts;
  }

  function boxes(name) {
    return [...form.querySelectorAll(`input[name="${name}"]`)];
  }

  function apply() {
    const words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    const off = new Set(["tier", "kind"].flatMap((name) => boxes(name).filter((box) => !box.checked).map((box) => name + box.value)));
    let shown = 0;
    for (const pair of pairs) {
      const match = !off.has("tier" + pair.dataset.tier) && !off.has("kind" + pair.dataset.kind)
        && (!words.length || words.every((word) => searchable().get(pair).includes(word)));
      pair.hidden = !match;
      shown += match;
    }
    for (const block of [...clusters, ...folds]) block.hidden = !block.querySelector(".pair:not([hidden])");
    for (const fold of folds) {
      if (words.length && !fold.hidden && !fold.open) { fold.open = true; opened.add(fold); }
      if (!words.length && opened.delete(fold)) fold.open = false;
    }
    form.elements.shown.value = `${shown.toLocaleString("en")} of ${pairs.length.toLocaleString("en")} shown`;
    form.querySelector("button").hidden = !words.length && !off.size;
    document.querySelector(".nothing").hidden = shown > 0;
  }

  /** The filters as a URL fragment: only what differs from "everything". */
  function remember() {
    const state = new URLSearchParams();
    if (form.elements.q.value.trim()) state.set("q", form.elements.q.value.trim());
    for (const name of ["tier", "kind"]) {
      if (boxes(name).some((box) => !box.checked)) {
        state.set(name, boxes(name).filter((box) => box.checked).map((box) => box.value).join(","));
      }
    }
    history.replaceState(null, "", "#" + state);
  }

  /** Take the state of the fragment. A fragment without "=" is the name of a pair or fact: show it, whatever hides it. */
  function recall() {
    const fragment = location.hash.slice(1);
    if (fragment && !fragment.includes("=")) {
      const target = document.getElementById(fragment);
      if (!target) return;
      if (target.closest("[hidden]") || target.querySelector(".pair[hidden]")) { form.reset(); apply(); }
      for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
      target.scrollIntoView();
      return;
    }
    const state = new URLSearchParams(fragment);
    form.elements.q.value = state.get("q") ?? "";
    for (const name of ["tier", "kind"]) {
      const wanted = state.get(name)?.split(",");
      for (const box of boxes(name)) box.checked = !wanted || wanted.includes(box.value);
    }
    apply();
  }

  /** Move to the next or previous pair that is on view. */
  function step(direction) {
    const open = pairs.filter((pair) => !pair.hidden && !pair.closest("details:not([open])"));
    const here = open.indexOf(document.activeElement?.closest?.(".pair"));
    const next = open[here < 0 ? (direction > 0 ? 0 : open.length - 1) : here + direction];
    if (!next) return;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "start" });
  }

  if (form) {
    let timer = 0;
    const changed = () => { apply(); remember(); };
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", changed);
    form.addEventListener("input", (event) => {
      if (event.target.name !== "q") return;
      clearTimeout(timer);
      timer = setTimeout(changed, 120);
    });
    form.addEventListener("reset", () => setTimeout(changed));
    addEventListener("hashchange", recall);
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const typing = event.target.matches?.("input[type=search]");
      if (typing && event.key === "Escape") { event.target.value = ""; changed(); event.target.blur(); }
      if (typing) return;
      if (event.key === "/") { event.preventDefault(); form.elements.q.focus(); }
      if (event.key === "j") step(1);
      if (event.key === "k") step(-1);
    });
    recall();
  }

  // Paper cannot be unfolded. Older browsers need this; newer ones do it in the style sheet.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const details of folded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of folded) details.open = false;
  });
})();
