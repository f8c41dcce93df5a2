"use strict";
// What all pages have: elements, the theme, filters, tables.

/** An element with a class, text and children. Text is never taken for markup. */
function make(tag, className, content, ...children) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (content !== undefined && content !== null) element.textContent = content;
    element.append(...children);
    return element;
}

// ---- Theme: what the system prefers, or one of two.

const themes = ["auto", "light", "dark"];
const themeButton = document.getElementById("theme");
function setTheme(theme) {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    themeButton.textContent = `Theme: ${theme}`;
}
themeButton.addEventListener("click", () => {
    const now = document.documentElement.dataset.theme || "auto";
    setTheme(themes[(themes.indexOf(now) + 1) % themes.length]);
});
let themeBeforePrint = "auto";
addEventListener("beforeprint", () => {
    themeBeforePrint = document.documentElement.dataset.theme || "auto";
    setTheme("light");
});
addEventListener("afterprint", () => setTheme(themeBeforePrint));

// ---- Filters: words for texts; for numbers also 3, 0-7, 3,5-9, >100, <100, any.

function numberFilter(words) {
    const parts = words.split(",").map((part) => part.trim()).filter(Boolean);
    const tests = [];
    for (const part of parts) {
        const range = /^(\d+)\s*-\s*(\d+)$/.exec(part);
        const bound = /^([<>]=?)\s*(\d+)$/.exec(part);
        if (range) tests.push((n) => n >= +range[1] && n <= +range[2]);
        else if (bound && bound[1] === ">") tests.push((n) => n > +bound[2]);
        else if (bound && bound[1] === ">=") tests.push((n) => n >= +bound[2]);
        else if (bound && bound[1] === "<") tests.push((n) => n < +bound[2]);
        else if (bound) tests.push((n) => n <= +bound[2]);
        else if (/^-?\d+$/.test(part)) tests.push((n) => n === +part);
        else tests.push((n, shown) => shown.toLowerCase().includes(part.toLowerCase()));
    }
    return (n, shown) => tests.some((test) => test(typeof n === "number" ? n : NaN, shown));
}

function textFilter(words) {
    const wanted = words.toLowerCase();
    return (value, shown) => shown.toLowerCase().includes(wanted);
}

// ---- Tables. Of many rows only those in sight are in the document.

const rowHeight = 29;
const rowsInDocument = 300;

class Grid {
    /** Columns: {name, value(row), shown(row), number, code, badge, width, choices}. */
    constructor(place, columns, rows) {
        this.columns = columns;
        this.rows = rows;
        this.visible = rows;
        this.filters = new Map();
        this.sorted = null;
        this.build(place);
        this.update();
        addEventListener("beforeprint", () => this.visible.length <= 2000 && this.show(true));
        addEventListener("afterprint", () => this.update());
    }

    build(place) {
        this.count = make("span");
        this.count.setAttribute("aria-live", "polite");
        const clear = make("button", "", "Clear filters");
        clear.type = "button";
        clear.addEventListener("click", () => this.clear());
        this.body = make("tbody");
        const names = make("tr");
        const inputs = make("tr");
        const widths = make("colgroup");
        for (const column of this.columns) {
            const width = make("col");
            if (column.width) width.style.width = column.width;
            widths.append(width);
            names.append(this.heading(column));
            inputs.append(make("th", "", null, this.filterOf(column)));
        }
        const table = make("table", "", null, widths, make("thead", "", null, names, inputs), this.body);
        this.scroll = make("div", "scroll", null, table);
        this.scroll.tabIndex = 0;
        this.scroll.setAttribute("role", "region");
        this.scroll.setAttribute("aria-label", "Table");
        this.scroll.addEventListener("scroll", () => this.show());
        place.classList.add("grid");
        place.append(make("div", "status", null, this.count, clear), this.scroll);
    }

    heading(column) {
        const button = make("button", "", column.name);
        button.type = "button";
        button.addEventListener("click", () => this.sort(column));
        column.heading = make("th", "", null, button);
        column.heading.scope = "col";
        return column.heading;
    }

    filterOf(column) {
        const choices = column.choices ? column.choices(this.rows) : null;
        const input = make(choices ? "select" : "input");
        if (choices) input.append(...["", ...choices].map((choice) => make("option", "", choice)));
        else if (column.number) input.placeholder = "0-7";
        input.setAttribute("aria-label", `Filter: ${column.name}`);
        input.addEventListener("input", () => this.filter(column, input.value));
        column.input = input;
        return input;
    }

    filter(column, words) {
        if (column.input.value !== words) column.input.value = words;
        if (words.trim() === "") this.filters.delete(column);
        else this.filters.set(column, column.number ? numberFilter(words) : textFilter(words));
        this.update();
    }

    clear() {
        for (const column of this.columns) column.input.value = "";
        this.filters.clear();
        this.update();
    }

    sort(column) {
        const up = !(this.sorted === column && this.ascending);
        this.sorted = column;
        this.ascending = up;
        for (const other of this.columns) other.heading.removeAttribute("aria-sort");
        column.heading.setAttribute("aria-sort", up ? "ascending" : "descending");
        this.update();
    }

    update() {
        const filters = [...this.filters];
        this.visible = this.rows.filter((row) =>
            filters.every(([column, test]) => test(column.value(row), column.shown(row))));
        if (this.sorted) {
            const value = this.sorted.value;
            const sign = this.ascending ? 1 : -1;
            const order = (a, b) => (typeof a === "number" && typeof b === "number"
                ? a - b : String(a ?? "").localeCompare(String(b ?? ""), "en", {numeric: true}));
            this.visible.sort((a, b) => sign * order(value(a), value(b)));
        }
        const all = this.rows.length.toLocaleString("en");
        const some = this.visible.length.toLocaleString("en");
        this.count.textContent = some === all ? `${all} rows` : `${some} of ${all} rows`;
        this.scroll.scrollTop = 0;
        this.first = -1;
        this.show();
    }

    show(all = false) {
        const many = this.visible.length > rowsInDocument && !all;
        const above = Math.floor(this.scroll.scrollTop / rowHeight) - 20;
        const first = many ? Math.max(0, Math.min(above, this.visible.length - 80)) : 0;
        if (first === this.first && !all) return;
        this.first = first;
        const last = many ? Math.min(first + 80, this.visible.length) : this.visible.length;
        const rows = this.visible.slice(first, last).map((row) => this.row(row));
        this.body.replaceChildren(
            this.spacer(first), ...rows, this.spacer(this.visible.length - last));
        if (rows.length === 0) {
            const none = make("td", "", "Nothing matches.");
            none.colSpan = this.columns.length;
            this.body.append(make("tr", "", null, none));
        }
    }

    spacer(rows) {
        const cell = make("td");
        cell.colSpan = this.columns.length;
        const line = make("tr", "spacer", null, cell);
        line.style.height = `${rows * rowHeight}px`;
        line.hidden = rows === 0;
        return line;
    }

    row(row) {
        return make("tr", "", null, ...this.columns.map((column) => {
            const shown = column.shown(row);
            const kind = `${column.code ? "code" : ""} ${column.number ? "number" : ""}`;
            const cell = make("td", kind, column.badge ? null : shown);
            if (column.badge) cell.append(make("span", `badge ${shown}`, shown));
            if (shown.length > 12) cell.title = shown;
            return cell;
        }));
    }
}
