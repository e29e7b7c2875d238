// A fact and its pairs of passages, laid out as the page's own HTML does for the first ones.

const FOLDED_AFTER = 3; // pairs shown of a fact; the others are folded
const DOCUMENTS_SHOWN = 6;

function factArticle({ fact, pairs }) {
  const head = `f-${fact.n}`;
  const article = el("article.cluster", { id: `fact-${fact.n}`, "aria-labelledby": head },
    el("h2", { id: head, dir: "auto" }, fact.subject, " ", el("span.claims", {}, `— ${fact.claims.join(", ")}`)),
    (fact.notes ?? []).map((note) => el("p.intro", { dir: "auto" }, note)),
    fact.facts ? differencesTable(fact) : valuesTable(fact), pairs.slice(0, FOLDED_AFTER).map(pairSection));
  const rest = pairs.slice(FOLDED_AFTER);
  if (rest.length) {
    const list = el("div");
    const fold = el("details.rest", {}, el("summary", {}, `${plural(rest.length, "more pair")} of passages about ${fact.facts ? "these differences" : "this fact"}`), list);
    fold.pager = new Pager(list, pairSection, 20);
    fold.held = rest;
    article.append(fold);
  }
  return article;
}

/** Build what a fold holds, once. */
function fill(fold, all = false) {
  if (!fold.pager) return;
  if (!fold.pager.shown) fold.pager.show(fold.held);
  if (all) fold.pager.all();
}

function valuesTable(fact) {
  const heads = ["Value", "Documents that hold it"].map((title) => el("th", { scope: "col" }, title));
  const rows = fact.values.map(([value, total, documents, badges]) => el("tr", {},
    el("th", { scope: "row" }, valueText(value, badges)),
    el("td", {}, el("span.fine", {}, plural(total, "document")), documentList(documents.map((n) => data.documents[n][0]), total))));
  return el("table.values", {}, el("thead.hidden", {}, el("tr", {}, heads)), el("tbody", {}, rows));
}

const valueText = (value, badges) => [el("span", { dir: "auto" }, value),
  badges.map((word) => [" ", badge(word, word === "suggested" ? "keep" : "")])];

/** What a document and its copies disagree about, a row for each fact. */
function differencesTable(fact) {
  const heads = ["What differs", "Values, and the documents that hold them"].map((title) => el("th", { scope: "col" }, title));
  const rows = fact.facts.map(([subject, pair, values]) => el("tr", {},
    el("th", { scope: "row" }, pair ? el("a", { href: `#c-${pair}`, dir: "auto" }, subject) : el("span", { dir: "auto" }, subject)),
    el("td", {}, values.map(([value, total, documents, badges]) => el("div", {}, el("b", {}, valueText(value, badges)), " ",
      documentList(documents.map((n) => data.documents[n][0]), total, 4))))));
  return el("table.values.differences", {}, el("thead.hidden", {}, el("tr", {}, heads)), el("tbody", {}, rows));
}

function documentList(paths, total, shown = DOCUMENTS_SHOWN) {
  const list = (some) => el("ul.paths", {}, some.map((text) => el("li", {}, path(text))));
  const out = [list(paths.slice(0, shown))];
  if (total > shown) {
    const more = list(paths.slice(shown));
    if (total > paths.length) more.append(el("li", {}, `and ${number(total - paths.length)} others, see clusters.parquet`));
    out.push(el("details.more", {}, el("summary", {}, plural(total - shown, "more document")), more));
  }
  return out;
}

function pairSection(pair) {
  const head = `t-${pair.id}`;
  const section = el("section.pair", { id: `c-${pair.id}`, tabindex: -1, "aria-labelledby": head },
    el("p.badges", {}, badge(pair.tier, `tier-${pair.tier}`), badge(pair.category), pair.since ? badge(pair.since) : null,
      el("span.fine", {}, model.words.kinds[pair.kind] ?? pair.kind), el("span.fine", {}, `${pair.sure}% confidence`),
      el("a.fine.id", { href: `#c-${pair.id}`, title: `Link to this pair; details with: audit explain ${pair.id}` }, pair.id)),
    el("h3", { id: head, dir: "auto" }, pair.says),
    el("div.sides", {}, sideSection(pair, "a"), sideSection(pair, "b")),
    pair.note ? el("p.note", {}, el("b", {}, "Scope."), ` ${pair.note}`) : null,
    verdict(pair));
  const controls = reviewBlock(pair);
  section.append(controls);
  showChoice(controls, pair);
  return section;
}

function sideSection(pair, letter) {
  const side = pair[letter], suggested = pair.winner === letter;
  const quote = side.quote.map((part) => (typeof part === "string" ? part : el(MARKS[part[1]], {}, part[0])));
  // The address was checked when the report was made; anything but the web stays text.
  const name = /^https?:\/\//.test(side.url ?? "") ? el("a.path", { href: side.url, rel: "noreferrer" }, side.doc) : path(side.doc);
  const dates = side.dates.flatMap(([label, day], n) => [n ? ", " : "", `${label} `, el("time", {}, day)]);
  return el(suggested ? "section.side.suggested" : "section.side", { "aria-label": `Passage ${letter.toUpperCase()}` },
    el("header", {}, el("span.letter", { "aria-hidden": "true" }, letter.toUpperCase()), el("b.value", { dir: "auto" }, side.value),
      suggested ? badge("suggested", "keep") : null),
    el("blockquote", { dir: "auto" }, quote),
    side.read ? el("p.reading", {}, el("span", {}, "Read as"), " ", el("span", { dir: "auto" }, side.read)) : null,
    el("dl.source", {},
      el("dt", {}, "Document"), el("dd", {}, side.title ? [el("span.title", { dir: "auto" }, side.title), " "] : null, name,
        side.place ? el("span.place", {}, `, ${side.place}`) : null),
      side.section ? [el("dt", {}, "Section"), el("dd", { dir: "auto" }, side.section)] : null,
      el("dt", {}, "Dated"), el("dd", {}, dates.length ? dates : el("span.unknown", {}, "undated")),
      el("dt", {}, "Owner"), el("dd", {}, side.owner === NOBODY ? el("span.unknown", {}, NOBODY) : side.owner,
        el("span.tier-of-source", {}, ` · ${side.source}`)),
      side.scope ? [el("dt", {}, "Holds for"), el("dd", { dir: "auto" }, side.scope)] : null));
}

const MARKS = { mark: "mark", diff: "span.diff", gap: "span.gap" };

function verdict(pair) {
  const said = model.words.decisions[pair.decision] ?? pair.decision ?? "";
  const state = model.words.states[pair.status] ?? pair.status;
  const by = (pair.reviewer ? ` by ${pair.reviewer}` : "") + (pair.decided ? ` on ${pair.decided}` : "");
  const lines = [];
  if (settled(pair) || pair.status === "reopened") {
    const condition = pair.condition ? ` (${pair.condition})` : "";
    lines.push(el("p", {}, el("b", {}, state + by + (said ? ": " : ".")), said ? `${said}${condition}.` : "", pair.why ? ` ${pair.why}` : ""));
  }
  for (const [id, sentence] of pair.earlier ?? []) {
    lines.push(el("p.earlier", {}, el("b", {}, "Decided before on this subject:"), " ", el("span", { dir: "auto" }, sentence), " ",
      el("a.fine", { href: `#c-${id}` }, id)));
  }
  let outcome = el("b", {}, `Neither passage holds the suggested value${pair.fact.winning ? `, ${pair.fact.winning}` : ""}.`);
  if (pair.winner) outcome = el("b", {}, `Suggestion: follow ${pair.winner.toUpperCase()}, ${pair[pair.winner].value.replace(/\.$/, "")}.`);
  else if (settled(pair)) outcome = "Rule:";
  else if (pair.rule === "present_both") outcome = el("b", {}, "Both positions stand.");
  else if (pair.rule === "escalate") outcome = el("b", {}, "Needs a decision.");
  lines.push(el("p", {}, outcome, " ", el("span.reason", {}, el("code", {}, pair.rule), ` ${data.texts[pair.reason]}`)));
  if (pair.declined.length) {
    lines.push(el("details", {}, el("summary", {}, pair.rule === "escalate" ? "Rules that did not decide" : "Rules tried before"),
      el("ul", {}, pair.declined.map((n) => el("li", {}, data.texts[n])))));
  }
  return el("div.verdict", {}, lines);
}
