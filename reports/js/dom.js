// Building the page. Texts become text nodes and never markup: whatever a document says stays what it says.

/** An element: `el("p.note", { dir: "auto" }, "text", other)`. Attributes that are false or missing are left out. */
function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

const number = (count) => count.toLocaleString("en");
const plural = (count, one, many = one + "s") => `${number(count)} ${count === 1 ? one : many}`;
const path = (text) => el("span.path", {}, text);
const badge = (text, kind = "") => el(kind ? `span.badge.${kind}` : "span.badge", {}, text);
const find = (selector, root = document) => root.querySelector(selector);
const findAll = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Whether an element is on view: nothing hides it and no fold is closed over it. */
const onView = (node) => node.getClientRects().length > 0;

/** A long list, built a page at a time: as the reader comes near its end, or on a press of the button there. */
class Pager {
  constructor(container, build, size) {
    this.container = container;
    this.build = build;
    this.size = size;
    this.items = [];
    this.shown = 0;
    this.button = el("button.next", { type: "button" });
    this.button.addEventListener("click", () => this.more());
    if ("IntersectionObserver" in window) {
      const near = (entries) => { if (entries.some((entry) => entry.isIntersecting)) this.more(); };
      this.observer = new IntersectionObserver(near, { rootMargin: "1500px" });
    }
  }

  /** Start over with these items. */
  show(items) {
    this.items = items;
    this.shown = 0;
    this.container.replaceChildren();
    this.more();
  }

  /** Build the next page; false when there is none. */
  more(count = this.size) {
    const next = this.items.slice(this.shown, this.shown + count);
    this.observer?.unobserve(this.button);
    this.button.remove();
    this.container.append(...next.map(this.build));
    this.shown += next.length;
    const left = this.items.length - this.shown;
    if (left > 0) {
      this.button.textContent = `Show more (${number(left)} left)`;
      this.container.append(this.button);
      this.observer?.observe(this.button);
    }
    return next.length > 0;
  }

  /** Build up to the item at this position. */
  reach(position) {
    if (position >= this.shown) this.more(position + 1 - this.shown);
  }

  all() {
    if (this.shown < this.items.length) this.more(this.items.length - this.shown);
  }
}
