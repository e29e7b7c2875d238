// The findings, from the data block of the page.

const NOBODY = "nobody named";
const SETTLED = ["decided", "dismissed"];
const data = JSON.parse(find("#data")?.textContent ?? "null");
const model = data && readModel();

function readModel() {
  const words = data.words;
  const sides = data.sides.map((side) => {
    const [doc, folder] = data.documents[side.doc];
    const [title, owner, source, dates] = data.sources[side.source];
    return { ...side, doc, folder: folder || words.top, title, owner: owner || NOBODY, source, dates };
  });
  const pairs = data.pairs.map((pair) => ({ ...pair, a: sides[pair.sides[0]], b: sides[pair.sides[1]] }));
  const facts = data.facts.map((fact, position) => {
    const own = pairs.slice(...fact.pairs);
    const made = { ...fact, position, pairs: own };
    for (const pair of own) pair.fact = made;
    return made;
  });
  return { words, facts, pairs, byId: new Map(pairs.map((pair) => [pair.id, pair])) };
}

const settled = (pair) => SETTLED.includes(pair.status);

/** What the pair asks of each owner: done, correct (a losing side is theirs), decide (no side is suggested) or stands. */
function asks(pair) {
  const asked = new Map();
  for (const letter of ["a", "b"]) {
    const { owner } = pair[letter];
    let state = "decide";
    if (settled(pair) || review.get(pair)) state = "done";
    else if (pair.winner) state = pair.winner === letter ? "stands" : "correct";
    if (asked.get(owner) !== "correct") asked.set(owner, state);
  }
  return asked;
}

/** The side somebody would have to edit, as far as a rule says; else the first. */
const burdened = (pair) => (pair.winner === "a" ? pair.b : pair.a);

const dateOf = (side) => side.dates[0]?.[1] ?? "";

/** Everything the search looks at, in lower case; put together when a pair is first searched. */
function textOf(pair) {
  if (pair.text === undefined) {
    const fact = pair.fact;
    const values = [...fact.values, ...(fact.facts ?? []).flatMap(([, , held]) => held)];
    fact.text ??= [fact.subject, ...fact.claims, ...(fact.notes ?? []), ...(fact.facts ?? []).map(([subject]) => subject), ...values.flatMap(([value, , documents, badges]) =>
      [value, ...documents.map((n) => data.documents[n][0]), ...badges])].join("\n");
    const side = ({ value, quote, read, doc, place, title, owner, source, section, scope, dates }) =>
      [value, quote.map((part) => (typeof part === "string" ? part : part[0])).join(""), read, place ? `${doc}, ${place}` : doc, title,
        owner, source, section, scope, ...dates.flat()];
    pair.text = [fact.text, pair.id, pair.tier, pair.category, model.words.kinds[pair.kind] ?? pair.kind, pair.says, ...side(pair.a),
      ...side(pair.b), pair.note, pair.rule, data.texts[pair.reason], pair.reviewer, pair.condition, pair.why, pair.since].join("\n").toLowerCase();
  }
  return pair.text;
}

/** Whether the pair passes the filters. */
function matches(pair, state, terms) {
  return state.tiers.has(pair.tier)
    && (!state.kind || pair.kind === state.kind)
    && (!state.category || pair.category === state.category)
    && (!state.owner || pair.a.owner === state.owner || pair.b.owner === state.owner)
    && (!state.folder || pair.a.folder === state.folder || pair.b.folder === state.folder)
    && (!state.status || hasStatus(pair, state.status))
    && (!state.a || (pair.a.doc === state.a && pair.b.doc === state.b))
    && terms.every((term) => textOf(pair).includes(term));
}

function hasStatus(pair, status) {
  if (status === "todo") return !settled(pair) && !review.get(pair);
  if (status === "recorded") return Boolean(review.get(pair));
  if (status === "new") return pair.since === "new";
  return pair.status === status;
}

/** Facts with those of their pairs that pass, in the wanted order, as [{ fact, pairs, group }]. */
function select(state) {
  const terms = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = [];
  for (const fact of model.facts) {
    const pairs = fact.pairs.filter((pair) => matches(pair, state, terms));
    if (pairs.length) rows.push({ fact, pairs, group: "" });
  }
  const by = ORDERS[state.sort];
  if (!by) return rows;
  for (const row of rows) row.group = by(row.pairs);
  // Names of nobody and missing dates come last; sorting is stable, so the surer facts come first within a group.
  const rank = (group) => (group === "" || group === NOBODY ? 1 : 0);
  const compare = new Intl.Collator("en").compare;
  return rows.sort((x, y) => rank(x.group) - rank(y.group) || compare(x.group, y.group));
}

const ORDERS = {
  owner: (pairs) => burdened(pairs[0]).owner,
  folder: (pairs) => burdened(pairs[0]).folder,
  oldest: (pairs) => pairs.flatMap((pair) => [dateOf(pair.a), dateOf(pair.b)]).filter(Boolean).sort()[0] ?? "",
};
