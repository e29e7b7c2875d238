// Starting, keys, review and printing. Without this script the page still reads: it only shows, hides and unfolds.

const desk = find(".desk");

function start() {
  review.load();
  mainPager = new Pager(find("#facts > .list"), factOrHeading, 15);
  const hints = find("#advisory");
  if (hints) {
    advisoryPager = new Pager(find(".list", hints), factArticle, 15);
    hints.addEventListener("toggle", () => { if (hints.open && !advisoryPager.shown) advisoryPager.more(); });
  }
  documentsPager = new Pager(find("#documents .worst"), documentItem, 60);
  document.addEventListener("toggle", (event) => { if (event.target.open) fill(event.target); }, true);
  fillFacets();
  form.hidden = desk.hidden = find(".tabs").hidden = false;
  find(".facets").open = !matchMedia("(max-width: 46rem)").matches;
  desk.elements.reviewer.value = review.reviewer;
  state.tiers = new Set(tierBoxes().map((box) => box.value));
  listen();
  recall();
  showProgress();
}

function listen() {
  let timer = 0;
  const changed = () => {
    clearTimeout(timer); // or what was typed before would be applied again, and take the focus with it
    state.q = form.elements.q.value;
    state.tiers = new Set(tierBoxes().filter((box) => box.checked).map((box) => box.value));
    for (const name of PICKED) state[name] = form.elements[name].value;
    apply();
    remember();
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", changed);
  form.addEventListener("input", (event) => {
    if (event.target.name !== "q") return;
    clearTimeout(timer);
    timer = setTimeout(changed, 120);
  });
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    const { view } = state;
    clear();
    state.view = view;
    changed();
  });
  find(".tabs").addEventListener("click", (event) => {
    const tab = event.target.closest("a");
    if (!tab) return;
    event.preventDefault();
    view(tab.dataset.view);
  });
  find(".help").addEventListener("click", () => find("dialog.keys").showModal());
  addEventListener("hashchange", () => {
    if (recall() && location.hash.includes("=")) find("#results").scrollIntoView();
  });
  addEventListener("keydown", (event) => key(event, changed));
  document.addEventListener("change", decided);
  document.addEventListener("input", decided);
  document.addEventListener("click", (event) => {
    if (event.target.matches(".back")) record(event.target.closest(".pair"), null);
  });
  desk.addEventListener("submit", (event) => { event.preventDefault(); exportChoices(); });
  desk.elements.reviewer.addEventListener("change", () => {
    review.reviewer = text(desk.elements.reviewer.value.trim());
    for (const entry of review.choices.values()) entry.reviewer ||= review.reviewer;
    review.save();
    refresh();
  });
  desk.elements.import.addEventListener("change", importChoices);
  addEventListener("beforeunload", (event) => {
    if (!review.kept && review.unsaved && review.choices.size) event.preventDefault();
  });
}

function view(name) {
  state.view = name;
  apply();
  remember();
}

/** Keys. They are left alone while somebody types, picks from a list or moves between radio buttons. */
function key(event, changed) {
  if (event.ctrlKey || event.metaKey || event.altKey || find("dialog[open]")) return;
  const { target } = event;
  const typing = target.matches?.("input:not([type=radio], [type=checkbox]), select, textarea");
  if (target.name === "q" && event.key === "Escape") { target.value = ""; changed(); target.blur(); }
  if (typing) return;
  const arrow = event.key.startsWith("Arrow");
  if (arrow && target.matches?.("input")) return;
  const vertical = event.key === "ArrowDown" || event.key === "ArrowUp"; // else they scroll
  if (vertical && !target.matches?.(".pair")) return;
  if (event.key === "/") form.elements.q.focus();
  else if (event.key === "?") find("dialog.keys").showModal();
  else if (event.key === "v") view(VIEWS[(VIEWS.indexOf(state.view) + 1) % VIEWS.length]);
  else if (["j", "ArrowRight", "ArrowDown"].includes(event.key)) step(1);
  else if (["k", "ArrowLeft", "ArrowUp"].includes(event.key)) step(-1);
  else if (/^[0-6]$/.test(event.key) && target.closest?.(".pair")) {
    record(target.closest(".pair"), event.key === "0" ? null : CHOICES[event.key - 1][0]);
  } else return;
  event.preventDefault();
}

const STOPS = { facts: ".pair", owners: ".unfold", documents: ".worst a" }; // other views have no findings to step through

/** Move to the next or previous finding (or row) on view, building more where the list ends. */
function step(direction) {
  const kind = STOPS[state.view];
  if (!kind) return;
  const stops = () => findAll(`#${state.view} ${kind}`).filter(onView);
  let open = stops();
  const here = open.indexOf(document.activeElement?.closest?.(kind));
  let next = open[here < 0 ? (direction > 0 ? 0 : open.length - 1) : here + direction];
  if (!next && direction > 0 && state.view === "facts" && mainPager.more()) {
    open = stops();
    next = open[here + 1];
  }
  if (!next) return;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: state.view === "facts" ? "start" : "nearest" });
}

/** A radio button or the text below was changed. */
function decided(event) {
  const block = event.target.closest?.(".review");
  if (!block) return;
  const section = block.closest(".pair");
  if (event.target.type === "radio") record(section, event.target.value);
  else {
    const pair = model.byId.get(section.id.slice(2));
    review.note(pair, event.target.value);
    showChoice(block, pair);
    showProgress();
  }
}

function record(section, choice) {
  const pair = model.byId.get(section.id.slice(2));
  review.choose(pair, choice);
  showChoice(find(".review", section), pair);
  showProgress();
  if (REQUIRED.includes(choice)) find(".said input", section).focus({ preventScroll: true });
}

/** Bring all findings on the page in line with what is recorded. */
function refresh() {
  for (const block of findAll(".review")) showChoice(block, model.byId.get(block.closest(".pair").id.slice(2)));
  showProgress();
}

function showProgress() {
  const left = model.pairs.filter((pair) => pair.tier !== "advisory" && !settled(pair) && !review.get(pair)).length;
  find(".progress", desk).textContent = `${number(review.choices.size)} recorded, ${number(left)} of the main list to go`;
  if (!review.kept) notice("This browser does not keep choices for a file: export them before you close the page.");
}

function notice(sentence) {
  find(".notice", desk).textContent = sentence;
}

function exportChoices() {
  review.reviewer = text(desk.elements.reviewer.value.trim());
  if (!review.choices.size) return notice("There is nothing to export yet: choose under a finding first.");
  if (!review.reviewer) {
    desk.elements.reviewer.focus();
    return notice("Say who decided: enter a name first.");
  }
  const { file, left } = review.file();
  const missing = left ? ` ${plural(left, "choice lacks its", "choices lack their")} text and was left out.` : "";
  if (!file.decisions.length) return notice(`Nothing to export.${missing}`);
  const address = URL.createObjectURL(new Blob([`${JSON.stringify(file, null, 2)}\n`], { type: "application/json" }));
  const link = el("a", { href: address, download: "decisions.json" });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  review.unsaved = false;
  return notice(`${plural(file.decisions.length, "decision")} exported. Next: audit review apply decisions.json.${missing}`);
}

async function importChoices(event) {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  if (file.size > FILE_LIMIT) { notice("This file is too large to hold decisions."); return; }
  const sentence = review.take(await file.text());
  refresh();
  if (state.status || state.view === "owners") apply();
  notice(sentence);
}

if (data) start();

// Paper cannot be unfolded or scrolled: everything that passes the filters is built before it is printed.
let folded = [];
addEventListener("beforeprint", () => {
  if (data) {
    mainPager.all();
    if (advisoryPager && !find("#advisory").hidden) advisoryPager.all();
    documentsPager.all();
    for (const fold of findAll(".rest")) fill(fold, true);
  }
  folded = findAll("details:not([open])");
  for (const details of folded) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of folded) details.open = false;
});
