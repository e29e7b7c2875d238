// What is on view: the state of the filters, its form, and the address that remembers it.

const VIEWS = ["facts", "owners", "documents", "copies", "runs", "unread"].filter((name) => find(`#${name}.view`));
const UNFILTERED = ["copies", "runs", "unread"];
const PICKED = ["kind", "category", "owner", "folder", "status", "sort"];
const form = find(".filters");
const state = { view: "facts", q: "", tiers: new Set(), kind: "", category: "", owner: "", folder: "", status: "", sort: "", a: "", b: "" };
let rows = []; // what passes the filters, in order
let mainPager, advisoryPager, documentsPager;
let openedHints = false; // whether a search opened the hints, so that clearing it closes them again

const tierBoxes = () => findAll("input[name=tier]", form);

/** Fill the lists of the form with what there is, the most frequent first. */
function fillFacets() {
  const count = (values) => {
    const counts = new Map();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts].sort(([x, n], [y, m]) => m - n || (x < y ? -1 : 1));
  };
  const both = (name) => model.pairs.flatMap((pair) => [...new Set([pair.a[name], pair.b[name]])]);
  const { words } = model;
  const lists = {
    kind: count(model.pairs.map((pair) => pair.kind)).map(([value, n]) => [value, words.kinds[value] ?? value, n]),
    category: count(model.pairs.map((pair) => pair.category)).map(([value, n]) => [value, value, n]),
    owner: count(both("owner")).map(([value, n]) => [value, value, n]),
    folder: count(both("folder")).map(([value, n]) => [value, value, n]),
    status: [["todo", "Not yet decided"], ["recorded", "Recorded here"],
      ...(model.pairs.some((pair) => pair.since === "new") ? [["new", "New in this run"]] : []),
      ...count(model.pairs.map((pair) => pair.status)).map(([value, n]) => [value, words.states[value] ?? value, n])],
  };
  for (const [name, options] of Object.entries(lists)) {
    const short = (label) => (label.length > 60 ? `${label.slice(0, 59)}…` : label);
    form.elements[name].append(...options.slice(0, 1000).map(([value, label, n]) =>
      el("option", { value }, n === undefined ? label : `${short(label)} (${number(n)})`)));
  }
}

/** Show what passes the filters. */
function apply() {
  rows = select(state);
  for (const view of VIEWS) find(`#${view}.view`).hidden = view !== state.view;
  for (const tab of findAll(".tabs a")) {
    if (tab.dataset.view === state.view) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  form.classList.toggle("off", UNFILTERED.includes(state.view));
  if (state.view === "facts") showFacts();
  if (state.view === "owners") showOwners(rows, state);
  if (state.view === "documents") showDocuments(rows);
  const shown = rows.reduce((sum, row) => sum + row.pairs.length, 0);
  form.elements.shown.value = `${number(shown)} of ${number(model.pairs.length)} shown`;
  find("button[type=reset]", form).hidden = !filtered();
  const between = find(".between", form);
  between.hidden = !state.a;
  between.replaceChildren(...(state.a ? ["between ", path(state.a), state.a === state.b ? " and itself" : " and ", state.a === state.b ? "" : path(state.b)] : []));
}

function filtered() {
  return Boolean(state.q || state.a || PICKED.some((name) => name !== "sort" && state[name]) || state.tiers.size < tierBoxes().length);
}

function showFacts() {
  const main = rows.filter((row) => row.fact.tier !== "advisory");
  const hints = rows.filter((row) => row.fact.tier === "advisory");
  mainPager.show(grouped(main));
  const fold = find("#advisory");
  if (fold) {
    fold.hidden = !hints.length;
    find(".count", fold).textContent = plural(hints.length, "fact");
    advisoryPager.items = hints;
    advisoryPager.shown = 0;
    advisoryPager.container.replaceChildren();
    const wanted = Boolean(state.q || state.a);
    if (wanted && hints.length && !fold.open) fold.open = openedHints = true;
    else if (!wanted && openedHints) fold.open = openedHints = false;
    if (fold.open) advisoryPager.more();
  }
  find(".nothing").hidden = rows.length > 0;
}

/** The rows with a heading before each group. */
function grouped(list) {
  if (state.sort !== "owner" && state.sort !== "folder") return list;
  const sizes = new Map();
  for (const row of list) sizes.set(row.group, (sizes.get(row.group) ?? 0) + 1);
  return list.flatMap((row, n) => (n && list[n - 1].group === row.group ? [row] : [{ heading: row.group, size: sizes.get(row.group) }, row]));
}

const factOrHeading = (row) => (row.heading === undefined ? factArticle(row)
  : el("h2.group", {}, el("span", { dir: "auto" }, row.heading), " ", el("span.fine", {}, plural(row.size, "fact"))));

/** The filters as a URL fragment: only what differs from "everything". */
function remember() {
  const kept = new URLSearchParams();
  if (state.view !== "facts") kept.set("view", state.view);
  if (state.q.trim()) kept.set("q", state.q.trim());
  if (state.tiers.size < tierBoxes().length) kept.set("tier", [...state.tiers].join(","));
  for (const name of [...PICKED, "a", "b"]) if (state[name]) kept.set(name, state[name]);
  history.replaceState(null, "", `#${kept}`);
}

/** Take the state of the fragment. A fragment without "=" is the name of a pair or fact: show it, whatever hides it. */
function recall() {
  const fragment = location.hash.slice(1);
  if (fragment && !fragment.includes("=")) return goTo(fragment);
  const kept = new URLSearchParams(fragment);
  state.view = VIEWS.includes(kept.get("view")) ? kept.get("view") : "facts";
  state.q = kept.get("q") ?? "";
  const wanted = kept.get("tier")?.split(",");
  state.tiers = new Set(tierBoxes().map((box) => box.value).filter((tier) => !wanted || wanted.includes(tier)));
  for (const name of PICKED) {
    form.elements[name].value = kept.get(name) ?? "";
    state[name] = form.elements[name].value; // "" for a value that is not on the list
    if (form.elements[name].selectedIndex < 0) form.elements[name].value = "";
  }
  [state.a, state.b] = kept.get("a") && kept.get("b") ? [kept.get("a"), kept.get("b")] : ["", ""];
  form.elements.q.value = state.q;
  for (const box of tierBoxes()) box.checked = state.tiers.has(box.value);
  apply();
  return true;
}

function clear() {
  Object.assign(state, { view: "facts", q: "", a: "", b: "", tiers: new Set(tierBoxes().map((box) => box.value)) });
  for (const name of PICKED) state[name] = form.elements[name].value = "";
  form.elements.q.value = "";
  for (const box of tierBoxes()) box.checked = true;
}

/** Bring a pair (`c-…`) or a fact (`fact-…`) onto the page and into view. */
function goTo(name) {
  const pair = name.startsWith("c-") ? model.byId.get(name.slice(2)) : null;
  const fact = pair?.fact ?? model.facts.find((other) => `fact-${other.n}` === name);
  if (!fact) {
    if (!rows.length) { clear(); apply(); }
    return false;
  }
  const passes = () => rows.some((row) => row.fact === fact && (!pair || row.pairs.includes(pair)));
  if (state.view !== "facts" || !passes()) {
    if (!passes()) clear();
    state.view = "facts";
    apply();
  }
  const hint = fact.tier === "advisory";
  if (hint) {
    find("#advisory").open = true;
    if (!advisoryPager.shown) advisoryPager.more();
  }
  const pager = hint ? advisoryPager : mainPager;
  pager.reach(pager.items.findIndex((row) => row.fact === fact));
  if (pair && !document.getElementById(name)) {
    const fold = find(".rest", document.getElementById(`fact-${fact.n}`));
    fill(fold);
    fold.pager.reach(fold.held.indexOf(pair));
  }
  const target = document.getElementById(name);
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  target.focus({ preventScroll: true });
  target.scrollIntoView();
  return true;
}
