/* SPDX-License-Identifier: Apache-2.0 */
/* The unfolding around the failure: the last events and their causes. There is no time here:
 * an event stands one row below the latest of its causes, so what nothing orders stands side by side. */

const GRAPH_MOST = 26, NODE_H = 38, ROW_GAP = 22, COL_GAP = 34;

/* The events that matter, or all if none does. */
function graphActs(model) {
    const acts = model.acts.filter(a => a.shown || a.fails);
    return acts.length > 0 ? acts : model.acts;
}

/* Edges between these acts. An edge from or to another act stands for one between the last act
 * before it and the first one after it in the same threads. */
function graphEdges(model, acts) {
    const chains = model.threads.map(() => []);
    const edges = [];
    for (const act of acts) {
        const chain = chains[model.threadOf(act.index)];
        if (chain.length > 0)
            edges.push({kind: 'po', from: chain[chain.length - 1], to: act.index});
        chain.push(act.index);
    }
    const chosen = new Set(acts.map(a => a.index));
    for (const act of model.acts)
        for (const kind of ['from', 'after']) {
            if (act[kind] < 0 || model.threadOf(act[kind]) === model.threadOf(act.index))
                continue;
            const plain = chosen.has(act[kind]) && chosen.has(act.index);
            const from = lastUpTo(chains[model.threadOf(act[kind])], act[kind]);
            const to = firstFrom(chains[model.threadOf(act.index)], act.index);
            if (from >= 0 && to >= 0)
                edges.push({kind: plain ? kind : 'after', from, to});
        }
    return edges;
}

/* How many acts of a chain come before index. */
function countBefore(chain, index) {
    let low = 0, high = chain.length;
    while (low < high) {
        const mid = (low + high) >> 1;
        if (chain[mid] < index)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

function firstFrom(chain, index) {
    const at = countBefore(chain, index);
    return at < chain.length ? chain[at] : -1;
}

function lastUpTo(chain, index) {
    const n = countBefore(chain, index + 1);
    return n > 0 ? chain[n - 1] : -1;
}

/* The failure and its causes, the latest first, as many as can be taken in. */
function causesOf(model) {
    const acts = graphActs(model);
    const into = new Map();
    for (const edge of graphEdges(model, acts))
        addTo(into, edge.to, edge);
    const ends = acts.filter(a => a.fails).map(a => a.index);
    const open = ends.length > 0 ? ends : acts.slice(-1).map(a => a.index);
    const taken = new Set();
    while (open.length > 0 && taken.size < GRAPH_MOST) {
        open.sort((a, b) => a - b);
        const act = open.pop();
        if (!taken.has(act))
            open.push(...(into.get(act) || []).map(e => e.from));
        taken.add(act);
    }
    const edges = [...taken].flatMap(a => into.get(a) || []);
    return {
        taken: [...taken].sort((a, b) => a - b), edges: withoutImplied(edges.filter(e => taken.has(e.from))),
        cutOff: new Set(edges.filter(e => !taken.has(e.from)).map(e => e.to)),
    };
}

/* Order that other edges imply says nothing; a flow of values always does. */
function withoutImplied(edges) {
    const out = new Map();
    for (const e of edges)
        addTo(out, e.from, e);
    const reaches = (from, to, without) => {
        const open = [from], seen = new Set();
        while (open.length > 0)
            for (const e of out.get(open.pop()) || []) {
                if (e === without || e.gone || e.to > to || seen.has(e.to))
                    continue;
                if (e.to === to)
                    return true;
                seen.add(e.to);
                open.push(e.to);
            }
        return false;
    };
    for (const e of edges)
        e.gone = e.kind === 'after' && reaches(e.from, e.to, e);
    return edges.filter(e => !e.gone);
}

class Graph {
    constructor(model, on, name) {
        this.model = model;
        this.on = on;
        this.name = name;
        this.root = el('div', {class: 'graph', tabindex: '0', role: 'region', 'aria-label': 'The unfolding around the failure'});
        Object.assign(this, causesOf(model));
        new ResizeObserver(() => this.draw()).observe(this.root);
    }

    arrange(width) {
        const threads = [...new Set(this.taken.map(a => this.model.threadOf(a)))].sort((a, b) => a - b);
        const n = threads.length;
        this.threads = threads;
        this.nodeW = Math.max(132, Math.min(230, (width - 20) / n - COL_GAP));
        this.column = new Map(threads.map((t, i) => [t, 10 + i * (this.nodeW + COL_GAP)]));
        this.row = new Map();
        for (const a of this.taken) {
            let row = 0;
            for (const e of this.edges)
                if (e.to === a)
                    row = Math.max(row, this.row.get(e.from) + 1);
            this.row.set(a, row);
        }
        const rows = Math.max(0, ...this.row.values()) + 1;
        this.width = 10 + n * (this.nodeW + COL_GAP);
        this.height = 30 + rows * (NODE_H + ROW_GAP) + this.waits().length * 6;
    }

    xy(a) {
        return [this.column.get(this.model.threadOf(a)), 30 + this.row.get(a) * (NODE_H + ROW_GAP)];
    }

    draw() {
        const width = this.root.clientWidth;
        if (width === 0 || width === this.drawnWidth || this.taken.length === 0)
            return;
        this.drawnWidth = width;
        this.arrange(width);
        const heads = this.threads.map(t => svg('text', {class: 'g-head', x: this.column.get(t), y: 16},
                                                cut(this.model.threads[t].title, this.nodeW / 7)));
        const wires = this.edges.map((e, i) => this.edge(e, i));
        const waits = this.waits().map((w, i) => this.waitWire(w, i));
        const nodes = this.taken.map(a => this.node(a));
        this.root.replaceChildren(svg('svg', {
            width: this.width, height: this.height, viewBox: [0, 0, this.width, this.height].join(' '),
            role: 'group', 'aria-label': count(this.taken.length, 'event') + ' with their causes',
        }, this.tips(), heads, wires, waits, nodes));
    }

    tips() {
        return svg('defs', {}, ['po', 'from', 'after', 'waits'].map(kind => svg('marker', {
            id: this.name + '-g-' + kind, class: 'tip ' + kind, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7,
            markerHeight: 7, orient: 'auto', markerUnits: 'userSpaceOnUse',
        }, svg('path', {d: 'M0 0.5 L8 4 L0 7.5 z'}))));
    }

    /* Order in a thread runs straight down. Other edges go through the gap below the cause and the
     * gap beside the effect, where there are no nodes; i keeps neighbours apart. */
    edge(e, i) {
        const [x1, y1] = this.xy(e.from), [x2, y2] = this.xy(e.to);
        const out = {class: 'wire ' + e.kind, 'marker-end': 'url(#' + this.name + '-g-' + e.kind + ')'};
        if (e.kind === 'po')
            return svg('path', {...out, d: 'M' + (x1 + 14) + ' ' + (y1 + NODE_H) + ' V' + y2});
        const right = x2 >= x1, shift = (i % 4) * 5;
        const out1 = right ? x1 + this.nodeW - 14 - shift : x1 + 30 + shift;
        const gap = y1 + NODE_H + 4 + shift;
        const side = right ? x2 - 8 - shift : x2 + this.nodeW + 8 + shift;
        const yin = y2 + NODE_H / 2 + (e.kind === 'after' ? 6 : -4);
        return svg('path', {...out, d: roundPath([[out1, y1 + NODE_H], [out1, gap], [side, gap], [side, yin],
                                                  [right ? x2 : x2 + this.nodeW, yin]])});
    }

    /* Who waits for whom at the end, as the texts of the last acts say it. */
    waits() {
        const last = new Map(this.taken.map(a => [this.model.threadOf(a), a]));
        const list = [];
        for (const a of last.values()) {
            const words = WAITS.exec(this.model.acts[a].text);
            const t = words ? this.model.threads.findIndex(x => x.name === words[1]) : -1;
            if (t >= 0 && last.has(t) && last.get(t) !== a)
                list.push({from: a, to: last.get(t)});
        }
        return list;
    }

    /* Nothing stands below the last act of a thread: down there, along below all, and up beside the other. */
    waitWire(wait, i) {
        const [x1, y1] = this.xy(wait.from), [x2, y2] = this.xy(wait.to);
        const right = x2 >= x1, shift = i * 6;
        const out = right ? x1 + this.nodeW - 20 : x1 + 20, low = this.height - 12 - shift;
        const side = right ? x2 - 10 - shift : x2 + this.nodeW + 10 + shift;
        const y = y2 + NODE_H / 2;
        return svg('path', {class: 'wire waits', 'marker-end': 'url(#' + this.name + '-g-waits)', d: roundPath([
            [out, y1 + NODE_H], [out, low], [side, low], [side, y], [right ? x2 : x2 + this.nodeW, y]])});
    }

    node(a) {
        const act = this.model.acts[a], step = this.model.steps[act.step], [x, y] = this.xy(a);
        const go = () => this.on.select(act.step);
        const chars = (this.nodeW - 16) / 7;
        return svg('g', {
            class: 'g-node' + (act.fails ? ' fails' : '') + (act.shown ? '' : ' extra'), tabindex: '0', role: 'button',
            transform: 'translate(' + x + ' ' + y + ')', onclick: go,
            'aria-label': this.model.threadName(step.thread) + ' ' + placeText(step.at) + ': ' + act.text,
            onkeydown: ev => {
                if (ev.key === 'Enter' || ev.key === ' ') {
                    ev.preventDefault();
                    go();
                }
            },
        }, svg('title', {}, act.text), svg('rect', {width: this.nodeW, height: NODE_H, rx: 4}),
        svg('text', {class: 'g-place', x: 8, y: 15},
            (this.cutOff.has(a) ? '\u22ef ' : '') + (step.number > 0 ? '#' + step.number + ' ' : '') + placeText(step.at)),
        svg('text', {class: 'g-text', x: 8, y: 31}, cut(act.text, chars)));
    }
}

function cut(text, chars) {
    const most = Math.max(4, Math.floor(chars));
    return text.length <= most ? text : text.slice(0, most - 1) + '\u2026';
}
