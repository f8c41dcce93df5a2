(() => {
    const data = JSON.parse(document.getElementById("data").textContent);
    const text = (number) => data.strings[number];

    const plain = (name, index, more) => ({
        name, value: (row) => row[index], shown: (row) => String(row[index] ?? "?"), ...more,
    });
    const word = (name, index, more) => ({
        name, value: (row) => text(row[index]), shown: (row) => text(row[index]), ...more,
    });
    const choicesOf = (index) => (rows) => [...new Set(rows.map((row) => text(row[index])))].sort();

    const isCollective = (row) => text(row[2]) === "collective";
    function peerText(row) {
        if (row[3] === -2) return "any";
        if (isCollective(row)) return "";
        if (row[3] < 0) return row[4] >= 0 ? `comm rank ${row[4]}` : "?";
        return row[4] >= 0 && row[4] !== row[3] ? `${row[3]} (comm rank ${row[4]})` : `${row[3]}`;
    }

    const communicatorName = (row) => {
        const communicator = data.communicators[row[1]];
        return communicator ? text(communicator[1]) : "?";
    };
    const windowName = (row) => row.name || "";
    const lockText = (row) => {
        const waiting = row.waiters.length > 0 ? `, waiting: ${row.waiters.map((w) => w.rank).join(", ")}` : "";
        return row.lock === "none" ? `free${waiting}` : `${row.lock}, held by ${row.holders}${waiting}`;
    };
    const accessText = (row) => {
        const to = row.targets.map((target) => `${target.rank}: ${target.lock}`).join(", ");
        return to && row.access.startsWith("lock") ? `${row.access} (${to})` : row.access;
    };
    const own = (name, shown, more) => ({name, value: shown, shown: (row) => String(shown(row) ?? "?"), ...more});

    const tables = {
        ranks: [
            plain("Rank", 0, {number: true, width: "88px"}),
            word("State", 1, {badge: true, width: "104px", choices: choicesOf(1)}),
            word("In", 2, {code: true, width: "24%"}),
            word("At", 3, {code: true, width: "13%"}),
            word("Waits for", 4, {width: "12%"}),
            word("Why", 5),
            own("Pid", (row) => row[6] || null, {number: true, width: "80px"}),
            word("Host", 7, {width: "90px"}),
        ],
        operations: [
            plain("Rank", 0, {number: true, width: "88px"}),
            {name: "Queue", value: (row) => text(row[2]), shown: (row) => text(row[2]).replace("_", " "),
                width: "172px", choices: (rows) => [...new Set(rows.map((row) => text(row[2]).replace("_", " ")))].sort()},
            {name: "Communicator", value: communicatorName, shown: communicatorName, width: "14%"},
            {name: "Peer", value: (row) => row[3], shown: peerText, number: true, width: "130px"},
            {name: "Tag", value: (row) => row[5], number: true, width: "88px",
                shown: (row) => (isCollective(row) ? "" : String(row[5] ?? "?"))},
            plain("Bytes", 6, {number: true, width: "96px"}),
            {name: "Data", value: (row) => row[7], width: "14%", code: true,
                shown: (row) => (row[7] === null || row[8] === 0 ? "" : `${row[7]} ${text(row[8])}`)},
            word("Function", 9, {code: true, width: "13%"}),
            word("State", 10),
        ],
        communicators: [
            plain("Number", 0, {number: true, width: "90px"}),
            word("Name", 1, {width: "30%"}),
            plain("Size", 2, {number: true, width: "90px"}),
            word("Kind", 3, {width: "170px", choices: choicesOf(3)}),
            word("Ranks", 4),
            word("Remote ranks", 5, {width: "16%"}),
        ],
        windows: [
            own("Rank", (row) => row.rank, {number: true, width: "88px"}),
            own("Window", windowName, {width: "20%"}),
            own("Bytes", (row) => row.bytes, {number: true, width: "110px"}),
            own("Accesses others", accessText),
            own("Exposure", (row) => row.exposure, {width: "110px"}),
            own("Lock on its part", lockText),
        ],
    };

    const grids = {};
    for (const place of document.querySelectorAll("[data-table]")) {
        const name = place.dataset.table;
        if (data[name].length === 0) place.append(make("p", "empty", "None."));
        else grids[name] = new Grid(place, tables[name], data[name]);
    }

    const columnOf = (grid, name) => grid.columns.find((column) => column.name === name);
    for (const tile of document.querySelectorAll("[data-role]")) {
        tile.addEventListener("click", () => {
            if (!grids.ranks) return;
            grids.ranks.clear();
            grids.ranks.filter(columnOf(grids.ranks, "State"), tile.dataset.role);
            document.getElementById("ranks").scrollIntoView();
        });
    }

    // ---- The graph: what is near a node, and a view that moves and zooms.

    const svg = document.getElementById("graph");
    const canvas = document.querySelector(".canvas");
    const selection = document.getElementById("selection");

    class Graph {
        constructor() {
            this.nodes = [...svg.querySelectorAll(".node")];
            this.joints = [...svg.querySelectorAll(".joint")];
            this.edges = [...svg.querySelectorAll(".edge")];
            this.whole = svg.getAttribute("viewBox").split(" ").map(Number);
            this.selected = null;
            const [, , width, height] = this.whole;
            canvas.style.height = `${Math.max(170, Math.min(540, height * 1.15 + 20))}px`;
            this.fit(Math.max(width, canvas.clientWidth * 0.95), Math.max(height, canvas.clientHeight * 0.95));
            this.startReadable();
            for (const node of this.nodes) this.listen(node);
            this.listenToCanvas();
        }

        /** Shows all, and small graphs not larger than they are. */
        fit(width, height) {
            const [x, y, w, h] = this.whole;
            this.home = [x - (width - w) / 2, y - (height - h) / 2, width, height];
            this.view(this.home);
        }

        /** A graph that would be too small to read starts at its first core, or its top. */
        startReadable() {
            const smallest = 0.6;
            const [width, height] = [canvas.clientWidth / smallest, canvas.clientHeight / smallest];
            const [x, y, w, h] = this.home;
            if (w <= width && h <= height) return;
            const box = svg.querySelector(".node.core rect");
            const center = box ? [+box.getAttribute("x"), +box.getAttribute("y")] : [x + w / 2, y];
            const part = ([start, size], shown, at) =>
                shown >= size ? start - (shown - size) / 2
                    : Math.max(start, Math.min(at - shown / 2, start + size - shown));
            this.view([part([x, w], width, center[0]), part([y, h], height, center[1]), width, height]);
        }

        view(box) {
            this.box = box;
            svg.setAttribute("viewBox", box.join(" "));
        }

        zoom(factor) {
            const [x, y, w, h] = this.box;
            if (w * factor < 60 || w * factor > this.home[2] * 4) return;
            this.view([x + (w - w * factor) / 2, y + (h - h * factor) / 2, w * factor, h * factor]);
        }

        move(dx, dy) {
            const [x, y, w, h] = this.box;
            this.view([x + dx, y + dy, w, h]);
        }

        listen(node) {
            node.addEventListener("mouseenter", () => this.focus(node));
            node.addEventListener("mouseleave", () => this.focus(this.selected));
            node.addEventListener("focus", () => this.focus(node));
            node.addEventListener("blur", () => this.focus(this.selected));
            node.addEventListener("click", () => this.select(node));
            node.addEventListener("keydown", (event) => {
                if (event.key !== "Enter" && event.key !== " ") return;
                event.preventDefault();
                this.select(node);
            });
        }

        focus(node) {
            svg.classList.toggle("focused", node !== null);
            const drawn = [...this.nodes, ...this.joints];
            for (const item of [...drawn, ...this.edges]) item.classList.remove("near");
            if (node === null) return;
            const near = new Set([node.dataset.node]);
            const joints = new Set(this.joints.map((joint) => joint.dataset.node));
            // Through a joint to what is behind it, in the direction of the edges.
            for (const [start, end] of [["from", "to"], ["to", "from"]]) {
                const open = [node.dataset.node];
                while (open.length > 0) {
                    const at = open.pop();
                    for (const edge of this.edges) {
                        if (edge.dataset[start] !== at) continue;
                        edge.classList.add("near");
                        near.add(edge.dataset[end]);
                        if (joints.has(edge.dataset[end])) open.push(edge.dataset[end]);
                    }
                }
            }
            for (const other of drawn) other.classList.toggle("near", near.has(other.dataset.node));
        }

        select(node) {
            this.selected = node === this.selected ? null : node;
            for (const other of this.nodes) other.classList.toggle("selected", other === this.selected);
            this.focus(this.selected);
            selection.replaceChildren();
            if (this.selected === null) return;
            const name = this.selected.querySelector("title").textContent;
            const ranks = data.ranks.filter((row) => row[9] === +this.selected.dataset.node);
            const why = [...new Set(ranks.map((row) => text(row[5])).filter(Boolean))];
            const button = make("button", "", "Show in the table");
            button.type = "button";
            button.addEventListener("click", () => {
                grids.ranks.clear();
                grids.ranks.filter(columnOf(grids.ranks, "Rank"), ranges(ranks.map((row) => row[0])));
                document.getElementById("ranks").scrollIntoView();
            });
            selection.append(make("p", "", name), ...why.slice(0, 4).map((line) => make("p", "remark", line)), button);
        }

        listenToCanvas() {
            let from = null;
            canvas.addEventListener("pointerdown", (event) => {
                from = [event.clientX, event.clientY];
            });
            addEventListener("pointermove", (event) => {
                if (from === null) return;
                const scale = this.box[2] / canvas.clientWidth;
                canvas.classList.add("dragging");
                this.move((from[0] - event.clientX) * scale, (from[1] - event.clientY) * scale);
                from = [event.clientX, event.clientY];
            });
            addEventListener("pointerup", () => {
                from = null;
                canvas.classList.remove("dragging");
            });
            canvas.addEventListener("wheel", (event) => {
                if (!event.ctrlKey && document.activeElement !== canvas) return;
                event.preventDefault();
                this.zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15);
            }, {passive: false});
            canvas.addEventListener("keydown", (event) => {
                const step = this.box[2] / 10;
                const keys = {
                    "+": () => this.zoom(0.8), "=": () => this.zoom(0.8), "-": () => this.zoom(1.25),
                    "0": () => this.view(this.home),
                    ArrowLeft: () => this.move(-step, 0), ArrowRight: () => this.move(step, 0),
                    ArrowUp: () => this.move(0, -step), ArrowDown: () => this.move(0, step),
                };
                if (event.ctrlKey || event.metaKey || !keys[event.key]) return;
                event.preventDefault();
                keys[event.key]();
            });
            for (const button of document.querySelectorAll("[data-zoom]")) {
                const actions = {in: () => this.zoom(0.8), out: () => this.zoom(1.25), fit: () => this.view(this.home)};
                button.addEventListener("click", actions[button.dataset.zoom]);
            }
            addEventListener("beforeprint", () => this.view(this.whole));
            addEventListener("afterprint", () => this.view(this.home));
        }
    }

    /** [0, 1, 2, 5] as "0-2,5". */
    function ranges(numbers) {
        const parts = [];
        for (const n of numbers) {
            const last = parts[parts.length - 1];
            if (last && last[1] === n - 1) last[1] = n;
            else parts.push([n, n]);
        }
        return parts.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
    }

    if (svg) new Graph();
    else {
        canvas.classList.add("empty-graph");
        document.querySelector(".graph .tools").remove();
    }

    // ---- Stacks: a tree whose branches are made when they are unfolded.

    const tree = document.getElementById("stack-tree");
    const insideMpi = document.getElementById("inside-mpi");

    /** From the rows in pre-order to frames with callees; without what is not asked for. */
    function stackTree(everything) {
        const roots = [];
        const path = [];
        for (const [depth, name, place, ranks, count, inside] of data.stacks) {
            const frame = {name: text(name), place: text(place), ranks: text(ranks), count, inside, callees: []};
            path.length = depth;
            path.push(frame);
            if (!everything && inside) continue;
            (depth === 0 ? roots : path[depth - 1].callees).push(frame);
        }
        return everything ? roots : roots.flatMap(fromMain);
    }

    const isMain = (frame) => frame.name === "main" || frame.name === "MAIN__";
    function fromMain(root) {
        const found = [];
        const ahead = [root];
        while (ahead.length > 0) {
            const frame = ahead.pop();
            if (isMain(frame)) found.push(frame);
            else ahead.push(...frame.callees.slice().reverse());
        }
        return found.length > 0 ? found : [root];
    }

    function frameLine(frame, withRanks) {
        const line = make("div", "frame", null, make("span", "fold"), make("span", "", frame.name));
        if (frame.place && frame.place !== "-") line.append(make("span", "place", `  ${frame.place}`));
        if (withRanks) line.append(make("span", "who", `${frame.count === 1 ? "rank" : "ranks"} ${frame.ranks}`));
        return line;
    }

    /** A frame and those below it along which no rank leaves, then the branches. */
    function showPath(frame, level, unfolded) {
        const item = make("div", "path");
        const head = frameLine(frame, true);
        item.setAttribute("role", "treeitem");
        item.setAttribute("aria-level", level);
        item.tabIndex = -1;
        const body = make("div");
        body.setAttribute("role", "group");
        let last = frame;
        const lines = [];
        while (last.callees.length === 1 && last.callees[0].count === last.count) {
            last = last.callees[0];
            lines.push(last);
        }
        item.append(head, body);
        item.branches = lines.length + last.callees.length > 0;
        item.setFolded = (folded) => {
            item.setAttribute("aria-expanded", !folded);
            head.querySelector(".fold").textContent = folded ? "\u25b8" : "\u25be";
            if (!folded && body.childElementCount === 0) {
                body.append(...lines.map((line) => frameLine(line, false)),
                    ...last.callees.map((callee) => make("div", "branch", null, showPath(callee, level + 1, unfolded))));
            }
            body.hidden = folded;
        };
        if (item.branches) {
            item.setFolded(!unfolded);
            head.addEventListener("click", () => item.setFolded(!body.hidden));
        }
        return item;
    }

    function showStacks(unfolded) {
        tree.replaceChildren(...stackTree(insideMpi.checked).map((frame) => showPath(frame, 1, unfolded)));
        if (data.stacks.length === 0) tree.append(make("p", "empty", "No stack is known."));
        if (data.without_stack) tree.append(make("p", "empty", `Not known: ${text(data.without_stack)}.`));
        const first = tree.querySelector("[role=treeitem]");
        if (first) first.tabIndex = 0;
    }

    const inSight = () => [...tree.querySelectorAll("[role=treeitem]")].filter((item) => !item.parentElement.closest("[hidden]"));
    function focusItem(item) {
        if (!item) return;
        for (const other of tree.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
        item.tabIndex = 0;
        item.focus();
    }
    tree.addEventListener("keydown", (event) => {
        const item = event.target.closest("[role=treeitem]");
        if (!item) return;
        const items = inSight();
        const at = items.indexOf(item);
        const folded = item.getAttribute("aria-expanded") === "false";
        const keys = {
            ArrowDown: () => focusItem(items[at + 1]),
            ArrowUp: () => focusItem(items[at - 1]),
            Home: () => focusItem(items[0]),
            End: () => focusItem(items[items.length - 1]),
            ArrowRight: () => (folded ? item.setFolded(false) : focusItem(items[at + 1])),
            ArrowLeft: () => (item.branches && !folded ? item.setFolded(true)
                : focusItem(item.parentElement.closest("[role=treeitem]"))),
            Enter: () => item.branches && item.setFolded(!folded),
            " ": () => item.branches && item.setFolded(!folded),
        };
        if (!keys[event.key]) return;
        event.preventDefault();
        keys[event.key]();
    });
    const small = data.stacks.length <= 400;
    insideMpi.addEventListener("change", () => showStacks(small));
    document.getElementById("unfold").addEventListener("click", () => showStacks(true));
    document.getElementById("fold").addEventListener("click", () => showStacks(false));
    showStacks(small);

    // ---- Source lines.

    const sources = document.getElementById("source-list");
    if (data.sources.length === 0) sources.append(make("p", "empty", "No place in the source is known."));
    for (const source of data.sources) {
        const excerpt = make("div", "excerpt", null, make("h3", "", `${source.file}:${source.line}`),
            make("p", "", source.remark ? `${source.ranks}; ${source.remark}` : source.ranks));
        if (source.lines.length > 0) {
            const lines = make("pre");
            source.lines.forEach((line, i) => {
                const number = source.first + i;
                const row = make("span", number === source.line ? "row here" : "row", line);
                row.dataset.line = number;
                lines.append(row);
            });
            excerpt.append(lines);
        }
        sources.append(excerpt);
    }
})();
