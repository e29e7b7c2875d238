// The views beside the facts: worklists of the owners, and the pairs of documents that disagree most.

const ASKED = ["correct", "decide", "stands", "done"];
const OWNER_COLUMNS = [["owner", "Owner"], ["findings", "Findings"], ["correct", "To correct"], ["decide", "To decide"],
  ["stands", "Theirs stands"], ["done", "Done"]];
const ownersOrder = { column: "todo", down: true };

/** Pairs for the figures of an owner: hints only if the reader asked for them. */
function counted(rows, state) {
  const hints = state.tiers.has("advisory") && state.tiers.size < 3;
  return rows.flatMap((row) => row.pairs).filter((pair) => pair.tier !== "advisory" || hints);
}

function showOwners(rows, state) {
  const owners = new Map();
  for (const pair of counted(rows, state)) {
    for (const [owner, asked] of asks(pair)) {
      if (state.owner && owner !== state.owner) continue;
      if (!owners.has(owner)) owners.set(owner, { owner, findings: 0, correct: 0, decide: 0, stands: 0, done: 0, pairs: [] });
      const row = owners.get(owner);
      row.findings += 1;
      row[asked] += 1;
      row.pairs.push([pair, asked]);
    }
  }
  const list = [...owners.values()];
  for (const row of list) row.todo = row.correct + row.decide;
  const { column, down } = ownersOrder;
  const compare = column === "owner" ? (x, y) => x.owner.localeCompare(y.owner, "en") : (x, y) => x[column] - y[column];
  list.sort((x, y) => (down ? compare(y, x) : compare(x, y)) || y.findings - x.findings || x.owner.localeCompare(y.owner, "en"));
  const table = find("#owners table");
  find("thead tr", table).replaceChildren(...OWNER_COLUMNS.map(([name, title]) => {
    const sort = column === name ? (down ? "descending" : "ascending") : false;
    const button = el("button.sort", { type: "button" }, title);
    button.addEventListener("click", () => {
      ownersOrder.down = column === name ? !down : name !== "owner";
      ownersOrder.column = name;
      showOwners(rows, state);
      findAll("#owners thead button")[OWNER_COLUMNS.findIndex(([other]) => other === name)].focus();
    });
    return el("th", { scope: "col", "aria-sort": sort }, button);
  }));
  find("tbody", table).replaceChildren(...list.slice(0, 1000).flatMap(ownerRows));
  if (!list.length) find("tbody", table).append(el("tr", {}, el("td", { colspan: 6 }, "Nothing matches these filters.")));
}

function ownerRows(row) {
  const button = el("button.unfold", { type: "button", "aria-expanded": "false" }, el("span", { dir: "auto" }, row.owner));
  const work = el("tr.work", { hidden: true }, el("td", { colspan: 6 }));
  button.addEventListener("click", () => {
    work.hidden = !work.hidden;
    button.setAttribute("aria-expanded", String(!work.hidden));
    if (!work.hidden && !work.firstChild.firstChild) work.firstChild.append(worklist(row));
  });
  const figures = ["findings", ...ASKED].map((name) =>
    el(row[name] ? "td" : "td.none", { "data-label": OWNER_COLUMNS.find(([other]) => other === name)[1] }, number(row[name])));
  return [el("tr.owner", {}, el("th", { scope: "row" }, button), figures), work];
}

function worklist(row) {
  const list = el("ol.worklist");
  const order = ([, x], [, y]) => ASKED.indexOf(x) - ASKED.indexOf(y);
  new Pager(list, ([pair, asked]) => workItem(pair, asked, row.owner), 40).show([...row.pairs].sort(order));
  const link = el("a", { href: `#owner=${encodeURIComponent(row.owner)}` }, "Show the passages of these findings");
  return el("div", {}, el("p.fine", {}, link), list);
}

function workItem(pair, asked, owner) {
  const where = (side) => [path(side.doc), side.place ? `, ${side.place}` : ""];
  const value = (side) => el("b", { dir: "auto" }, side.value);
  const lost = burdened(pair), kept = lost === pair.a ? pair.b : pair.a;
  let task = ["Decide between ", value(pair.a), " in ", ...where(pair.a), " and ", value(pair.b), " in ", ...where(pair.b)];
  if (asked === "correct") task = ["Change ", value(lost), " to ", value(kept), " in ", ...where(lost)];
  if (asked === "stands") task = [value(kept), " in ", ...where(kept), " stands; ", lost.owner === owner ? "" : `${lost.owner} corrects `, path(lost.doc)];
  if (asked === "done") task = ["Decided: ", value(pair.a), " or ", value(pair.b)];
  return el(`li.is-${asked}`, {}, badge(pair.tier, `tier-${pair.tier}`), " ",
    el("a", { href: `#c-${pair.id}`, dir: "auto" }, pair.fact.subject), el("p", {}, task));
}

function showDocuments(rows) {
  const found = new Map();
  for (const pair of rows.flatMap((row) => row.pairs)) {
    const key = `${pair.a.doc}\n${pair.b.doc}`;
    if (!found.has(key)) found.set(key, { a: pair.a.doc, b: pair.b.doc, high: 0, medium: 0, advisory: 0, subjects: new Set() });
    const row = found.get(key);
    row[pair.tier] += 1;
    row.subjects.add(pair.fact.subject);
  }
  const list = [...found.values()].sort((x, y) => y.high - x.high || y.medium - x.medium || y.advisory - x.advisory || (x.a < y.a ? -1 : 1));
  const most = list.reduce((most, row) => Math.max(most, row.high + row.medium + row.advisory), 1);
  documentsPager.show(list.map((row) => ({ ...row, most })));
  find("#documents .intro").textContent = list.length
    ? `Those that disagree most stand first. ${plural(list.length, "pair")} of documents.` : "Nothing matches these filters.";
}

function documentItem(row) {
  const query = new URLSearchParams({ a: row.a, b: row.b });
  const subjects = [...row.subjects];
  const tiers = ["high", "medium", "advisory"].filter((tier) => row[tier]);
  const names = row.a === row.b ? [path(row.a), " ", el("span.fine", {}, "contradicts itself")] : [path(row.a), " ", path(row.b)];
  return el("li", {}, el("a.docs", { href: `#${query}` }, names), barOf(row, row.most),
    el("span.counts", {}, tiers.flatMap((tier) => [badge(`${number(row[tier])} ${tier}`, `tier-${tier}`), " "])),
    el("p.fine", { dir: "auto" }, subjects.slice(0, 3).join(" · ") + (subjects.length > 3 ? ` · ${number(subjects.length - 3)} more` : "")));
}

/** A small stacked bar of the tiers. */
function barOf(row, most) {
  const create = (name, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  const chart = create("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" });
  let start = 0;
  for (const tier of ["high", "medium", "advisory"]) {
    const width = (100 * row[tier]) / most;
    if (width) chart.append(create("rect", { class: `fill-${tier}`, x: start, width, height: 10 }));
    start += width;
  }
  return chart;
}
