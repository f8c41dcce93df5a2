// The page of findings: a list to filter, each with the calls of all ranks that it is about.
(() => {
    const data = JSON.parse(document.getElementById("data").textContent);
    const findings = data.report.findings;
    const task = data.report.task;

    // ---- The list.

    const list = document.getElementById("finding-list");
    const count = document.getElementById("finding-count");
    const filters = {
        severity: document.getElementById("filter-severity"),
        name: document.getElementById("filter-class"),
        ranks: document.getElementById("filter-ranks"),
        words: document.getElementById("filter-words"),
    };

    const fileName = (path) => path.slice(path.lastIndexOf("/") + 1);
    const placeText = (place) => (place.file ? `${fileName(place.file)}:${place.line}` : "unknown place");

    function excerptOf(call) {
        const source = data.sources[`${call.file}:${call.line}`];
        if (!source) return null;
        const lines = make("pre");
        source.lines.forEach((line, i) => {
            const number = source.first + i;
            const row = make("span", number === call.line ? "row here" : "row", line);
            row.dataset.line = number;
            lines.append(row);
        });
        return make("div", "excerpt", null, lines);
    }

    function argumentsOf(call) {
        const entries = Object.entries(call.arguments || {});
        if (entries.length === 0) return null;
        const table = make("dl", "arguments");
        for (const [name, value] of entries)
            table.append(make("div", "", null, make("dt", "", name), make("dd", "", value)));
        return table;
    }

    function stackOf(call) {
        if (call.stack.length < 2) return null;
        const frames = make("ol", "stack");
        for (const frame of call.stack)
            frames.append(make("li", "", null, make("span", "", frame.function || "??"),
                make("span", "place", frame.file ? `  ${fileName(frame.file)}:${frame.line}` : "")));
        return make("details", "", null, make("summary", "", "Call stack"), frames);
    }

    function callOf(call, shown) {
        const head = make("p", "call-head", null, make("span", "who", `rank ${call.rank}`),
            make("code", "", call.function || call.part || "?"),
            make("span", "place", placeText(call)));
        if (call.thread) head.append(make("span", "place", `thread ${call.thread}`));
        if (call.function && call.part) head.append(make("span", "part", call.part));
        if (call.function && !call.returned) head.append(make("span", "part open", "not returned"));
        const block = make("div", call.anomalous ? "call anomalous" : "call", null, head);
        if (call.file) head.title = `${call.file}:${call.line}`;
        const key = `${call.file}:${call.line}`;
        const excerpt = shown.has(key) ? null : excerptOf(call);
        shown.add(key);
        for (const part of [argumentsOf(call), excerpt, stackOf(call)]) if (part) block.append(part);
        return block;
    }

    /** The body is made when the finding is unfolded. */
    function findingOf(finding, number) {
        const item = make("details", `finding ${finding.severity}`);
        item.id = `finding-${number + 1}`;
        const first = finding.calls[0];
        const head = make("summary", "", null, make("span", `badge ${finding.severity}`, finding.severity),
            make("b", "", finding.name), make("span", "place", first ? placeText(first) : ""),
            make("span", "who", `${finding.ranks.length === 1 ? "rank" : "ranks"} ${rangesOf(finding.ranks)}`));
        if (finding.count > 1) head.append(make("span", "times", `\u00d7 ${finding.count}`));
        head.append(make("span", "message", finding.message));
        item.append(head);
        item.fill = () => {
            if (item.childElementCount > 1) return;
            const body = make("div", "finding-body");
            if (finding.communicator) body.append(make("p", "remark", `Communicator: ${finding.communicator}`));
            const shown = new Set();
            body.append(...finding.calls.map((call) => callOf(call, shown)));
            if (finding.consequences.length > 0)
                body.append(make("p", "remark", "From this follows:"),
                    make("ul", "", null, ...finding.consequences.map((line) => make("li", "", line))));
            item.append(body);
        };
        item.addEventListener("toggle", () => item.open && item.fill());
        item.finding = finding;
        return item;
    }

    /** [0, 1, 2, 5] as "0-2, 5". */
    function rangesOf(numbers) {
        const parts = [];
        for (const n of numbers) {
            const last = parts[parts.length - 1];
            if (last && last[1] === n - 1) last[1] = n;
            else parts.push([n, n]);
        }
        return parts.map(([a, b]) => (a === b ? `${a}` : `${a}-${b}`)).join(", ");
    }

    const items = findings.map(findingOf);
    list.append(...items);
    if (items.length > 0 && items.length <= 3) for (const item of items) {
        item.fill();
        item.open = true;
    }

    function wordsOf(finding) {
        const places = finding.calls.flatMap((call) => [call.function, call.file, call.line, call.part]);
        return [finding.name, finding.class, finding.message, finding.communicator, ...finding.consequences,
            ...places].join(" ").toLowerCase();
    }
    const searched = findings.map(wordsOf);

    function filter() {
        const ranks = filters.ranks.value.trim() ? numberFilter(filters.ranks.value) : null;
        const words = filters.words.value.trim().toLowerCase();
        let shown = 0;
        items.forEach((item, i) => {
            const finding = findings[i];
            const fits = (!filters.severity.value || finding.severity === filters.severity.value) &&
                (!filters.name.value || finding.name === filters.name.value) &&
                (!ranks || finding.ranks.some((rank) => ranks(rank, `${rank}`))) &&
                (!words || searched[i].includes(words));
            item.hidden = !fits;
            shown += fits ? 1 : 0;
        });
        const all = `${items.length} ${items.length === 1 ? "finding" : "findings"}`;
        count.textContent = shown === items.length ? all : `${shown} of ${all}`;
    }

    const names = [...new Set(findings.map((finding) => finding.name))].sort();
    filters.name.append(...names.map((name) => make("option", "", name)));
    for (const input of Object.values(filters)) input.addEventListener("input", filter);
    document.getElementById("filter-clear").addEventListener("click", () => {
        for (const input of Object.values(filters)) input.value = "";
        filter();
    });
    for (const tile of document.querySelectorAll("[data-severity]"))
        tile.addEventListener("click", () => {
            filters.severity.value = tile.dataset.severity;
            filter();
            document.getElementById("findings").scrollIntoView();
        });
    const openAll = (open) => items.forEach((item) => {
        if (item.hidden) return;
        item.fill();
        item.open = open;
    });
    document.getElementById("unfold").addEventListener("click", () => openAll(true));
    document.getElementById("fold").addEventListener("click", () => openAll(false));
    filter();

    // ---- The keyboard: n and p go from finding to finding, / to the search.

    const isTyping = () => ["INPUT", "SELECT", "TEXTAREA"].includes(document.activeElement.tagName);
    addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || isTyping()) return;
        const visible = items.filter((item) => !item.hidden).map((item) => item.querySelector("summary"));
        const at = visible.indexOf(document.activeElement);
        const keys = {
            n: () => visible[Math.min(at + 1, visible.length - 1)]?.focus(),
            p: () => visible[Math.max(at - 1, 0)]?.focus(),
            "/": () => filters.words.focus(),
        };
        if (!keys[event.key]) return;
        event.preventDefault();
        keys[event.key]();
    });

    // ---- Print: all that is shown, unfolded.

    let opened = [];
    addEventListener("beforeprint", () => {
        opened = items.filter((item) => item.open);
        openAll(true);
    });
    addEventListener("afterprint", () => items.forEach((item) => {
        item.open = opened.includes(item);
    }));

    // ---- Tables.

    const own = (name, of, more) => ({name, value: of, shown: (row) => String(of(row) ?? ""), ...more});
    const last = (row) => (row.last_call
        ? `${row.last_call.returned ? "" : "in "}${row.last_call.function} ${row.last_call.file ? placeText(row.last_call) : ""}` : "");
    const tables = {
        processes: [task.ranks, [
            own("Rank", (row) => row.rank, {number: true, width: "88px"}),
            own("Ended", (row) => row.ended, {width: "110px", choices: (rows) => [...new Set(rows.map((row) => row.ended))]}),
            own("Errors", (row) => row.errors, {number: true, width: "88px"}),
            own("Warnings", (row) => row.warnings, {number: true, width: "100px"}),
            own("Calls", (row) => row.calls, {number: true, width: "110px"}),
            own("Sends", (row) => row.sends, {number: true, width: "96px"}),
            own("Receives", (row) => row.receives, {number: true, width: "96px"}),
            own("Collectives", (row) => row.collectives, {number: true, width: "110px"}),
            own("Last call", last, {code: true}),
            own("Host", (row) => row.host, {width: "100px"}),
        ]],
        functions: [data.report.functions, [
            own("Function", (row) => row.function, {code: true}),
            own("Calls", (row) => row.calls, {number: true, width: "130px"}),
            own("Seconds", (row) => row.seconds, {number: true, width: "130px"}),
            own("Ranks", (row) => row.ranks, {number: true, width: "110px"}),
        ]],
        communicators: [data.report.communicators, [
            own("Number", (row) => row.number, {number: true, width: "90px"}),
            own("Name", (row) => row.name),
            own("Made by", (row) => row.made_by, {code: true, width: "24%"}),
            own("Size", (row) => row.size, {number: true, width: "90px"}),
            own("Members", (row) => row.members, {width: "34%"}),
        ]],
        stages: [task.stages, [
            own("Stage", (row) => row.name),
            own("Seconds", (row) => row.seconds.toFixed(3), {width: "130px"}),
        ]],
    };
    const rowOf = new Map();
    for (const row of task.ranks) {
        row.errors = row.warnings = 0;
        rowOf.set(row.rank, row);
    }
    for (const finding of findings) {
        for (const row of finding.ranks.map((rank) => rowOf.get(rank))) {
            if (row && finding.severity === "error") row.errors += 1;
            if (row && finding.severity === "warning") row.warnings += 1;
        }
    }
    for (const place of document.querySelectorAll("[data-table]")) {
        const [rows, columns] = tables[place.dataset.table];
        if (rows.length === 0) place.append(make("p", "empty", "None."));
        else new Grid(place, columns, rows);
    }
})();
