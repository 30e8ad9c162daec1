/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for whom at a deadlock: a box per thread with a line for what it holds, wants and did last, a box
 * per lock, condition or semaphore. A wire goes from what is held to its holder, and from who waits to
 * what it wants. */

const WAIT_LINE = 19, WAIT_CHAR = 7, WAIT_GAP = 14, WAIT_LEFT = 34;

class WaitGraph {
    constructor(model, on, name) {
        this.model = model;
        this.on = on;
        this.name = name;
        this.between = innerWidth < 600 ? 44 : 110;
        this.root = el('div', {class: 'graph waits-graph', tabindex: '0', role: 'region', 'aria-label': 'Who waits for whom'});
        this.arrange();
        this.draw();
    }

    text(e) {
        const as = e.how === 'reader' || e.how === 'writer' ? ' as ' + e.how : '';
        const at = ' ' + placeText(e.at);
        switch (e.role) {
        case 'holds': return 'holds ' + e.object + as + at;
        case 'joins': return 'joins ' + this.model.threadName(e.other) + at;
        case 'last': return 'last ' + e.how + ' ' + e.object + at;
        default: return 'wants ' + e.object + as + at;
        }
    }

    /* Boxes of threads one below the other; each object beside the middle of its lines. */
    arrange() {
        const waits = this.model.page.waits;
        const threads = [...new Set(waits.flatMap(e => e.other >= 0 ? [e.thread, e.other] : [e.thread]))].sort((a, b) => a - b);
        const names = [...new Set(waits.filter(e => e.object !== '').map(e => e.object))];
        const most = Math.max(...threads.map(t => this.model.threads[t].title.length), ...waits.map(e => this.text(e).length));
        this.w = Math.min(520, most * WAIT_CHAR + 18);
        this.boxes = new Map();
        this.ports = [];
        let y = 10;
        for (const t of threads) {
            const lines = waits.filter(e => e.thread === t);
            this.boxes.set(t, {y, h: (lines.length + 1) * WAIT_LINE + 6});
            lines.forEach((e, i) => this.ports.push({e, y: y + (i + 1.5) * WAIT_LINE + 3}));
            y += (lines.length + 1) * WAIT_LINE + 6 + WAIT_GAP;
        }
        this.arrangeObjects(names);
        this.height = Math.max(y, ...[...this.objects.values()].map(o => o.y + 30));
    }

    arrangeObjects(names) {
        const middle = name => {
            const ys = this.ports.filter(p => p.e.object === name).map(p => p.y);
            return ys.reduce((s, v) => s + v, 0) / ys.length;
        };
        const order = names.map(n => [n, middle(n)]).sort((a, b) => a[1] - b[1]);
        this.objectW = Math.min(320, Math.max(40, ...names.map(n => n.length * WAIT_CHAR + 18)));
        this.objects = new Map();
        let low = 6;
        for (const [name, at] of order) {
            const y = Math.max(low, at - 13);
            this.objects.set(name, {y});
            low = y + 26 + WAIT_GAP;
        }
        this.x2 = WAIT_LEFT + this.w + this.between;
        this.width = names.length > 0 ? this.x2 + this.objectW + 12 : WAIT_LEFT + this.w + 12;
    }

    draw() {
        this.root.replaceChildren(svg('svg', {
            width: this.width, height: this.height, viewBox: [0, 0, this.width, this.height].join(' '), role: 'group',
            'aria-label': this.ports.map(p => this.model.threadName(p.e.thread) + ' ' + this.text(p.e)).join('; '),
        }, this.tips(), this.ports.map((p, i) => this.wire(p, i)), [...this.boxes].map(([t, box]) => this.box(t, box)),
        [...this.objects].map(([name, o]) => this.object(name, o))));
    }

    tips() {
        return svg('defs', {}, ['po', 'after', 'waits'].map(kind => svg('marker', {
            id: this.name + '-w-' + kind, class: 'tip ' + kind, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7,
            markerHeight: 7, orient: 'auto-start-reverse', markerUnits: 'userSpaceOnUse',
        }, svg('path', {d: 'M0 0.5 L8 4 L0 7.5 z'}))));
    }

    wire(p, i) {
        const kind = p.e.role === 'holds' ? 'po' : p.e.role === 'last' ? 'after' : 'waits';
        const tip = 'url(#' + this.name + '-w-' + kind + ')';
        if (p.e.other >= 0) {
            const x = WAIT_LEFT - 8 - (i % 4) * 6, y = this.boxes.get(p.e.other).y + WAIT_LINE / 2 + 3;
            return svg('path', {class: 'wire ' + kind, 'marker-end': tip,
                                d: roundPath([[WAIT_LEFT, p.y], [x, p.y], [x, y], [WAIT_LEFT, y]])});
        }
        const x1 = WAIT_LEFT + this.w, y2 = this.objects.get(p.e.object).y + 13, bend = this.between / 2;
        return svg('path', {class: 'wire ' + kind, [kind === 'po' ? 'marker-start' : 'marker-end']: tip,
                            d: 'M' + x1 + ' ' + p.y + ' C' + (x1 + bend) + ' ' + p.y + ' ' + (this.x2 - bend) + ' ' + y2 + ' ' + this.x2 + ' ' + y2});
    }

    box(t, box) {
        const lines = this.ports.filter(p => p.e.thread === t), chars = (this.w - 12) / WAIT_CHAR;
        return svg('g', {class: 'w-box ' + threadClass(t)},
            svg('rect', {x: WAIT_LEFT, y: box.y, width: this.w, height: box.h, rx: 4}),
            svg('rect', {class: 'bar-left', x: WAIT_LEFT, y: box.y, width: 3, height: box.h}),
            svg('text', {class: 'g-head', x: WAIT_LEFT + 9, y: box.y + 16}, cut(this.model.threads[t].title, chars)),
            lines.map(p => svg('text', {
                class: 'w-line ' + p.e.role, x: WAIT_LEFT + 9, y: p.y + 4, tabindex: '0', role: 'button',
                onclick: () => this.on.place(p.e), onkeydown: ev => ev.key === 'Enter' && this.on.place(p.e),
            }, cut(this.text(p.e), chars))));
    }

    object(name, o) {
        return svg('g', {class: 'w-object', onclick: () => this.on.object(name)},
            svg('rect', {x: this.x2, y: o.y, width: this.objectW, height: 26, rx: 13}),
            svg('text', {class: 'g-text', x: this.x2 + 9, y: o.y + 17}, cut(name, (this.objectW - 12) / WAIT_CHAR)));
    }
}
