// Choices of the reviewer. They live in this browser until they are exported; `audit review apply` takes the file from there.

const CHOICES = [
  ["accept_a", "A holds", "Reason (may be empty)"],
  ["accept_b", "B holds", "Reason (may be empty)"],
  ["both_with_condition", "Both, under a condition", "Under which condition does each hold?"],
  ["neither", "Neither holds", "What holds instead? (may be empty)"],
  ["request_fresher", "Needs a fresher source", "Which one? (may be empty)"],
  ["not_a_contradiction", "Not a contradiction", "Why not?"],
];
const REQUIRED = ["both_with_condition", "not_a_contradiction"];
const TEXT_LIMIT = 2000;
const FILE_LIMIT = 64 * 1024 * 1024;

const review = {
  choices: new Map(), // conflict id → { choice, condition, reason, reviewer, decided_at, content_hash }
  others: {}, // what the browser holds for findings that are not in this report, or were worded otherwise
  reviewer: "",
  kept: true, // whether the browser keeps choices
  unsaved: false, // choices made since the last export
  key: "",

  get(pair) {
    return this.choices.get(pair.id);
  },

  /** Take what an earlier visit left. A browser may refuse storage to a file: choices then last until the page is closed. */
  load() {
    this.key = `corpus-auditor/1/${data.corpus}`;
    let found = null;
    try {
      found = localStorage.getItem(this.key);
      localStorage.setItem(this.key, found ?? "{}");
    } catch {
      this.kept = false;
    }
    const stored = parsed(found);
    this.reviewer = text(stored?.reviewer);
    for (const [id, entry] of Object.entries(stored?.choices ?? {})) {
      const choice = this.check({ ...entry, conflict_id: id });
      if (choice && model.byId.get(id)?.hash === choice.content_hash) this.choices.set(id, choice);
      else this.others[id] = entry;
    }
  },

  save() {
    this.unsaved = true;
    try {
      const choices = { ...this.others, ...Object.fromEntries(this.choices) };
      localStorage.setItem(this.key, JSON.stringify({ reviewer: this.reviewer, choices }));
    } catch {
      this.kept = false;
    }
  },

  /** An entry of storage or of a file as a choice; null when it is none. */
  check(entry) {
    if (!entry || typeof entry !== "object" || typeof entry.conflict_id !== "string" || typeof entry.content_hash !== "string") return null;
    if (!CHOICES.some(([name]) => name === entry.choice)) return null;
    return { content_hash: entry.content_hash, choice: entry.choice, condition: text(entry.condition), reason: text(entry.reason),
      reviewer: text(entry.reviewer), decided_at: text(entry.decided_at) };
  },

  /** Record a choice, or take it back with null. The text stays with the finding when the choice changes. */
  choose(pair, choice) {
    const before = this.get(pair);
    if (choice === null) this.choices.delete(pair.id);
    else {
      const said = before ? before.condition || before.reason : "";
      this.choices.set(pair.id, { content_hash: pair.hash, choice, ...noted(choice, said), reviewer: this.reviewer, decided_at: now() });
    }
    this.save();
  },

  note(pair, said) {
    const entry = this.get(pair);
    if (!entry) return;
    Object.assign(entry, noted(entry.choice, text(said)), { decided_at: now(), reviewer: this.reviewer || entry.reviewer });
    this.save();
  },

  /** The file for `audit review apply`, and how many choices were left out because their text is missing. */
  file() {
    const complete = [...this.choices].filter(([, entry]) => !lacks(entry));
    const decisions = complete.sort(([x], [y]) => (x < y ? -1 : 1)).map(([id, entry]) => ({
      conflict_id: id, content_hash: entry.content_hash, choice: entry.choice, condition: entry.condition || null,
      reason: entry.reason || null, reviewer: entry.reviewer || this.reviewer, decided_at: entry.decided_at,
    }));
    return { file: { schema: 1, corpus: data.corpus, decisions }, left: this.choices.size - decisions.length };
  },

  /** Merge a file; gives a sentence about what happened. */
  take(content) {
    const file = parsed(content);
    if (file?.schema !== 1 || !Array.isArray(file.decisions)) return "This file holds no decisions. Choose a decisions.json that a report exported.";
    let taken = 0, unknown = 0, changed = 0, broken = 0;
    for (const entry of file.decisions) {
      const choice = this.check(entry);
      const pair = choice && model.byId.get(entry.conflict_id);
      if (!choice) broken += 1;
      else if (!pair) unknown += 1;
      else if (pair.hash !== choice.content_hash) changed += 1;
      else { this.choices.set(pair.id, choice); taken += 1; }
    }
    if (taken) this.save();
    return [`${plural(taken, "choice")} imported.`, unknown && `${plural(unknown, "fits", "fit")} no finding of this report.`,
      changed && `${plural(changed, "was", "were")} made when the documents said something else.`,
      broken && `${plural(broken, "is", "are")} no valid decision.`,
      file.corpus !== data.corpus && `The file was made for “${text(file.corpus).slice(0, 80)}”.`].filter(Boolean).join(" ");
  },
};

/** JSON that somebody else may have written; null for what is none. */
function parsed(content) {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

const text = (value) => (typeof value === "string" ? value.slice(0, TEXT_LIMIT) : "");
const now = () => new Date().toISOString().replace(/\.\d+Z$/, "Z");
const noted = (choice, said) => (choice === "both_with_condition" ? { condition: said, reason: "" } : { condition: "", reason: said });
const lacks = (entry) => REQUIRED.includes(entry.choice) && !(entry.condition || entry.reason).trim();

/** The controls of a finding. */
function reviewBlock(pair) {
  const choices = CHOICES.map(([name, label], n) => el("label.choice", {},
    el("input", { type: "radio", name: `r-${pair.id}`, value: name, "aria-keyshortcuts": String(n + 1) }),
    el("span", {}, label, name === `accept_${pair.winner}` && !settled(pair) ? el("small", {}, "suggested") : null)));
  const block = el("fieldset.review", {}, el("legend", {}, "Your decision"), el("div.choices", {}, choices),
    el("label.said", { hidden: true }, el("span", {}), el("input", { type: "text", maxlength: TEXT_LIMIT, autocomplete: "off" })),
    el("p.recorded", { hidden: true }, el("span", {}), " ", el("button", { type: "button", class: "back" }, "Take back")));
  showChoice(block, pair);
  return block;
}

/** Bring the controls in line with what is recorded. */
function showChoice(block, pair) {
  const entry = review.get(pair);
  for (const radio of findAll("input[type=radio]", block)) radio.checked = entry?.choice === radio.value;
  const said = find(".said", block), recorded = find(".recorded", block);
  said.hidden = recorded.hidden = !entry;
  block.closest(".pair")?.classList.toggle("is-recorded", Boolean(entry));
  if (!entry) return;
  find("span", said).textContent = CHOICES.find(([name]) => name === entry.choice)[2];
  const input = find("input", said);
  if (document.activeElement !== input) input.value = entry.condition || entry.reason;
  input.required = REQUIRED.includes(entry.choice);
  input.toggleAttribute("aria-invalid", lacks(entry));
  find("span", recorded).textContent = lacks(entry)
    ? "Not complete yet: this choice needs its text."
    : `Recorded${entry.reviewer ? ` by ${entry.reviewer}` : ""} on ${entry.decided_at.slice(0, 10)}, not exported to the corpus by itself.`;
}
