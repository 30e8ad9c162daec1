/* SPDX-License-Identifier: Apache-2.0 */
/* The interleaving: a lane per thread, time down, a card per step, arrows beside the cards.
 *
 * One thread at a time takes steps, so a row has one card and the rest of it is free: arrows
 * leave and enter cards along rows and run down in gutters, never across text. With few threads
 * each lane is a column with a gutter on its left. With many, or on a narrow screen, lanes are
 * close together, cards reach over the lanes on their right, and one gutter at the right serves all.
 * All heights are known before anything is drawn, and only what is in view exists as nodes. */

const HEAD = 25, ACT = 19, PAD = 5, GAP = 4, TURN = 28, TOP = 8;
const COLUMN_LEAST = 210, COLUMN_MOST = 400, GUTTER = 36, CARD_LEAST = 232, CARD_MOST = 460;
const FAR = 1800; /* an arrow that is longer is drawn for the selected step only */
const MARGIN = 400; /* drawn above and below what is in view */

/* Lines that words take in so many characters, as a browser breaks them, or fewer. */
function wrapLines(text, chars) {
    let lines = 1, used = 0;
    for (const word of text.split(' ')) {
        if (used > 0 && used + 1 + word.length > chars) {
            lines++;
            used = 0;
        }
        used += (used > 0 ? 1 : 0) + word.length;
        if (used > chars) {
            lines += Math.ceil(used / chars) - 1;
            used = used % chars || chars;
        }
    }
    return lines;
}

class Lanes {
    /* on: {select(step), thread(t), object(name)} */
    constructor(model, on, name) {
        this.model = model;
        this.on = on;
        this.name = name;
        this.drawn = new Map();
        this.rows = [];
        this.rowOfStep = new Map();
        this.selected = -1;
        this.head = el('div', {class: 'lane-heads'});
        this.picture = svg('svg', {class: 'wires', 'aria-hidden': 'true'});
        this.cards = el('div', {class: 'cards'});
        this.canvas = el('div', {class: 'canvas'}, this.picture, this.cards);
        this.root = el('div', {
            class: 'lanes', tabindex: '0', role: 'listbox', 'aria-label': 'Steps of the threads, in the order of time',
        }, this.head, this.canvas);
        this.root.addEventListener('scroll', () => this.later(), {passive: true});
        addEventListener('scroll', () => this.later(), {passive: true});
        addEventListener('resize', () => this.later(), {passive: true});
        new ResizeObserver(() => this.resized()).observe(this.root);
    }

    /* ---- layout ---- */

    show(choice) {
        this.choice = choice;
        this.rows = this.model.rows(choice);
        const seen = new Set(this.rows.filter(r => r.type === 'step').map(r => r.step.thread));
        this.lanes = this.model.threads.map((_, t) => t).filter(t => seen.has(t));
        this.arrange();
    }

    resized() {
        if (this.root.clientWidth !== this.width && this.rows.length > 0)
            this.arrange();
    }

    arrange() {
        this.width = this.root.clientWidth;
        if (this.width === 0)
            return;
        this.measure();
        this.arrangeLanes(this.width, this.lanes.length);
        this.arrangeRows();
        this.arrangeArrows();
        this.clear();
        this.drawHeads();
        this.root.classList.toggle('long', this.height > 5000);
        this.canvas.style.height = this.height + 'px';
        this.canvas.style.width = this.total + 'px';
        this.draw();
    }

    arrangeLanes(width, n) {
        this.columns = n <= 1 || width / n >= COLUMN_LEAST;
        this.x = new Map();
        this.w = new Map();
        if (this.columns) {
            const lane = Math.min((width - 8) / Math.max(n, 1), COLUMN_MOST);
            this.lanes.forEach((t, i) => {
                this.x.set(t, Math.round(i * lane + GUTTER));
                this.w.set(t, Math.round(lane - GUTTER - 6));
            });
            this.total = Math.round(Math.max(lane * n, width - 8));
            return;
        }
        const right = width < 500 ? 30 : 46;
        const step = Math.max(8, Math.min(44, (width - right - 10 - Math.min(CARD_LEAST, width * 0.7)) / (n - 1)));
        this.total = Math.round(Math.max(width - 2, 10 + (n - 1) * step + CARD_LEAST * 0.7 + right));
        this.edge = this.total - right;
        this.lanes.forEach((t, i) => {
            const x = Math.round(8 + i * step);
            this.x.set(t, x);
            this.w.set(t, Math.min(CARD_MOST, this.edge - x));
        });
        this.pitch = step;
    }

    arrangeRows() {
        let y = TOP;
        this.rowOfStep = new Map();
        this.yOfAct = new Map();
        this.life = new Map();
        for (const row of this.rows) {
            row.y = y;
            row.h = row.type === 'turn' ? TURN : this.arrangeCard(row, y);
            if (row.type === 'step') {
                this.rowOfStep.set(row.step.index, row);
                const life = this.life.get(row.step.thread) || [y, y];
                this.life.set(row.step.thread, [life[0], y + row.h]);
            }
            y += row.h + (row.type === 'step' ? GAP : 0);
        }
        this.height = y + 8;
    }

    /* Height of a card at y; acts whose words do not fit a line take two or three. */
    arrangeCard(row, y) {
        const t = row.step.thread, chars = Math.max(8, Math.floor((this.w.get(t) - 30) / this.charWidth));
        let h = HEAD;
        row.lines = row.acts.map(act => {
            const from = this.flowName(act, t);
            const lines = Math.min(3, wrapLines(act.text + (from ? ' ' + from : ''), chars));
            this.yOfAct.set(act.index, y + h + ACT / 2);
            h += lines * ACT;
            return lines;
        });
        return h + (row.step.fails ? ACT : PAD);
    }

    /* All letters are as wide as any other; how wide only the browser knows. */
    measure() {
        const probe = el('div', {class: 'card probe'}, '0'.repeat(100));
        this.canvas.append(probe);
        this.charWidth = probe.getBoundingClientRect().width / 100 || 7.3;
        probe.remove();
    }

    arrangeArrows() {
        this.arrows = [];
        this.arrowsOf = new Map();
        for (const row of this.rows)
            for (const act of row.acts || []) {
                this.addArrow('from', act.from, act.index);
                if (act.after !== act.from)
                    this.addArrow('after', act.after, act.index);
            }
        this.arrows.sort((p, q) => p.y1 - q.y1 || p.y2 - q.y2);
        const ends = new Map();
        for (const arrow of this.arrows)
            this.takeTrack(arrow, ends);
    }

    addArrow(kind, from, to) {
        const y1 = this.yOfAct.get(from), y2 = this.yOfAct.get(to);
        if (y1 === undefined || y2 === undefined || y1 >= y2)
            return;
        const source = this.model.threadOf(from), target = this.model.threadOf(to);
        const arrow = {kind, y1, y2, source, target, steps: [this.model.acts[from].step, this.model.acts[to].step]};
        arrow.quiet = source === target || y2 - y1 > FAR;
        this.arrows.push(arrow);
        for (const s of new Set(arrow.steps))
            addTo(this.arrowsOf, s, arrow);
    }

    /* A place in the gutter where no other arrow runs at that height. */
    takeTrack(arrow, ends) {
        const gutter = this.columns ? arrow.target : -1;
        const most = this.columns ? 4 : 6;
        if (!ends.has(gutter))
            ends.set(gutter, []);
        const end = ends.get(gutter);
        arrow.track = 0;
        if (arrow.quiet)
            return;
        while (arrow.track < most && end[arrow.track] > arrow.y1 - 6)
            arrow.track++;
        if (arrow.track === most) {
            arrow.quiet = true;
            arrow.track = 0;
        } else {
            end[arrow.track] = arrow.y2;
        }
    }

    /* ---- drawing ---- */

    clear() {
        this.cards.replaceChildren();
        this.drawn.clear();
        this.picture.replaceChildren();
    }

    later() {
        if (this.waiting)
            return;
        this.waiting = requestAnimationFrame(() => {
            this.waiting = 0;
            this.draw();
        });
    }

    /* The part of the canvas that can be seen. */
    window() {
        const box = this.canvas.getBoundingClientRect(), frame = this.root.getBoundingClientRect();
        const top = Math.max(frame.top, 0), bottom = Math.min(frame.bottom, innerHeight);
        return [top - box.top - MARGIN, Math.max(bottom, top) - box.top + MARGIN];
    }

    firstRow(y) {
        let low = 0, high = this.rows.length;
        while (low < high) {
            const mid = (low + high) >> 1;
            if (this.rows[mid].y + this.rows[mid].h < y)
                low = mid + 1;
            else
                high = mid;
        }
        return low;
    }

    draw() {
        if (!this.canvas.isConnected || !this.width)
            return;
        const [top, bottom] = this.window();
        const wanted = new Set();
        for (let i = this.firstRow(top); i < this.rows.length && this.rows[i].y < bottom; i++)
            wanted.add(this.rows[i]);
        for (const [row, node] of this.drawn)
            if (!wanted.has(row)) {
                node.remove();
                this.drawn.delete(row);
            }
        for (const row of wanted)
            if (!this.drawn.has(row)) {
                const node = row.type === 'step' ? this.card(row) : this.turnLabel(row);
                this.drawn.set(row, node);
                this.cards.append(node);
            }
        this.drawWires(Math.max(0, top), Math.min(this.height, bottom), wanted);
    }

    drawHeads() {
        const heads = this.lanes.map((t, i) => {
            const thread = this.model.threads[t];
            const button = el('button', {
                type: 'button', class: 'lane-head ' + threadClass(t), 'aria-pressed': String(this.choice.thread === t),
                title: 'Only ' + thread.title, onclick: () => this.on.thread(t),
            }, this.columns ? thread.title : thread.name);
            if (this.columns)
                place(button, this.x.get(t), 0, this.w.get(t));
            return button;
        });
        this.head.replaceChildren(...heads);
        this.head.classList.toggle('flow', !this.columns);
        this.head.style.width = this.columns ? this.total + 'px' : '';
    }

    card(row) {
        const step = row.step, t = step.thread;
        const node = el('div', {
            class: 'card ' + threadClass(t) + (step.fails ? ' fails' : '') + (step.number > 0 ? '' : ' extra'), role: 'option',
            id: this.cardId(step.index), 'aria-selected': String(step.index === this.selected),
            'aria-label': this.describe(step), onclick: () => this.on.select(step.index),
        },
        el('div', {class: 'card-head'},
           step.number > 0 ? el('span', {class: 'num'}, '#' + step.number) : null,
           this.columns ? null : el('span', {class: 'who'}, this.model.threadName(t)),
           el('span', {class: 'line'}, step.at.line > 0 ? String(step.at.line) : ''),
           el('span', {class: 'src', title: step.source}, step.source || step.at.function)),
        row.acts.map((act, i) => this.actLine(act, t, row.lines[i])),
        step.fails ? el('div', {class: 'mark'}, this.model.stuck ? 'stuck here' : 'fails here') : null);
        return place(node, this.x.get(t), row.y, this.w.get(t), row.h);
    }

    cardId(s) {
        return this.name + '-step-' + s;
    }

    describe(step) {
        return this.model.threads[step.thread].title + ', ' + placeText(step.at) + ': ' + step.source +
            (step.fails ? (this.model.stuck ? '. Stuck here.' : '. Fails here.') : '');
    }

    actLine(act, thread, lines) {
        const line = el('div', {class: 'act' + (act.fails ? ' fails' : '') + (act.shown ? '' : ' extra'), title: act.text},
                        this.actWords(act));
        line.style.height = lines * ACT + 'px';
        const from = this.flowName(act, thread);
        if (from)
            line.append(' ', el('span', {class: 'from'}, from));
        return line;
    }

    /* The step of another thread that an act has its value from, or ''. */
    flowName(act, thread) {
        if (act.from < 0 || this.model.threadOf(act.from) === thread)
            return '';
        return '\u2190\u00a0' + this.sourceName(this.model.acts[act.from].step, thread).replace(/ /g, '\u00a0');
    }

    /* In a narrow card the number of a step, or its thread, has to do. */
    sourceName(s, thread) {
        const n = this.model.steps[s].number;
        if (this.w.get(thread) >= 250)
            return this.model.stepName(s);
        return n > 0 ? '#' + n : this.model.threadName(this.model.steps[s].thread);
    }

    /* The text with the name of the object as something to click. */
    actWords(act) {
        const at = act.object === '' ? -1 : act.text.indexOf(act.object);
        if (at < 0)
            return el('span', {class: 'words'}, act.text);
        const name = el('span', {class: 'object', title: 'Only ' + act.object}, act.object);
        name.addEventListener('click', e => {
            e.stopPropagation();
            this.on.object(act.object);
        });
        return el('span', {class: 'words'}, act.text.slice(0, at), name, act.text.slice(at + act.object.length));
    }

    turnLabel(row) {
        const preempted = row.why === 'preempted';
        const node = el('div', {class: 'turn' + (preempted ? ' preempted' : '')}, turnText(this.model, row));
        return place(node, this.x.get(row.to) + 18, row.y + TURN / 2 - 8);
    }

    drawWires(top, bottom, rows) {
        const parts = [this.markers()];
        for (const t of this.lanes) {
            const [y1, y2] = this.life.get(t);
            if (y1 < bottom && y2 > top)
                parts.push(svg('line', {class: 'lane ' + threadClass(t), x1: this.x.get(t) + 1.5, x2: this.x.get(t) + 1.5,
                                        y1: Math.max(y1, top), y2: Math.min(y2, bottom)}));
        }
        for (const row of rows)
            if (row.type === 'turn')
                parts.push(...this.turnWires(row));
        for (const arrow of this.arrowsInView(top, bottom))
            parts.push(...this.arrowWires(arrow));
        this.picture.replaceChildren(...parts);
        this.picture.setAttribute('viewBox', [0, top, this.total, Math.max(bottom - top, 1)].join(' '));
        place(this.picture, 0, top, this.total, Math.max(bottom - top, 1));
    }

    markers() {
        return svg('defs', {}, ['from', 'after', 'turn'].map(kind => svg('marker', {
            id: this.name + '-' + kind, class: 'tip ' + kind, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7,
            markerHeight: 7, orient: 'auto', markerUnits: 'userSpaceOnUse',
        }, svg('path', {d: 'M0 0.5 L8 4 L0 7.5 z'}))));
    }

    turnWires(row) {
        const y = row.y + TURN / 2, x1 = this.x.get(row.from) + 1.5, x2 = this.x.get(row.to) + 1.5;
        const preempted = row.why === 'preempted';
        const wires = [svg('path', {
            class: 'turn' + (preempted ? ' preempted' : ''), d: roundPath([[x1, row.y - GAP], [x1, y], [x2, y], [x2, row.y + TURN]]),
            'marker-end': 'url(#' + this.name + '-turn)',
        })];
        if (preempted)
            wires.push(svg('line', {class: 'cut', x1: 0, x2: this.total, y1: y, y2: y}));
        return wires;
    }

    arrowsInView(top, bottom) {
        let low = 0, high = this.arrows.length;
        while (low < high) {
            const mid = (low + high) >> 1;
            if (this.arrows[mid].y1 < top - FAR)
                low = mid + 1;
            else
                high = mid;
        }
        const chosen = new Set(this.arrowsOf.get(this.selected) || []);
        const list = [];
        for (; low < this.arrows.length && this.arrows[low].y1 < bottom; low++) {
            const arrow = this.arrows[low];
            if (arrow.y2 > top && !arrow.quiet && !chosen.has(arrow))
                list.push(arrow);
        }
        return list.concat([...chosen].filter(a => a.y1 < bottom && a.y2 > top));
    }

    arrowWires(arrow) {
        const a = this.x.get(arrow.source), b = this.x.get(arrow.target);
        let x1, xg, x2;
        if (this.columns) {
            x1 = a < b ? a + this.w.get(arrow.source) : a;
            xg = b - 10 - arrow.track * 6;
            x2 = b - 1;
        } else {
            x1 = a + this.w.get(arrow.source);
            xg = this.edge + 10 + arrow.track * 5;
            x2 = b + this.w.get(arrow.target) + 1;
        }
        const chosen = (this.arrowsOf.get(this.selected) || []).includes(arrow);
        const y1 = arrow.y1 + (arrow.kind === 'after' ? 3 : 0), y2 = arrow.y2 + (arrow.kind === 'after' ? 3 : 0);
        const kind = 'wire ' + arrow.kind + (chosen ? ' chosen' : '');
        return [
            svg('path', {class: kind, d: roundPath([[x1, y1], [xg, y1], [xg, y2], [x2, y2]]),
                         'marker-end': 'url(#' + this.name + '-' + arrow.kind + ')'}),
            svg('circle', {class: kind, cx: x1, cy: y1, r: 2.5}),
        ];
    }

    /* ---- selection ---- */

    select(s, scroll) {
        const old = this.drawn.get(this.rowOfStep.get(this.selected));
        if (old)
            old.setAttribute('aria-selected', 'false');
        this.selected = s;
        const row = this.rowOfStep.get(s);
        if (!row)
            return;
        if (scroll)
            this.scrollTo(row);
        this.draw();
        const node = this.drawn.get(row);
        if (node) {
            node.setAttribute('aria-selected', 'true');
            this.root.setAttribute('aria-activedescendant', node.id);
        }
    }

    /* Moves as little as makes the row visible, inside the frame first, then on the page. */
    scrollTo(row) {
        const head = this.head.offsetHeight, room = this.root.clientHeight;
        const y = row.y + this.canvas.offsetTop;
        if (y - head < this.root.scrollTop)
            this.root.scrollTop = y - head - 20;
        else if (y + row.h > this.root.scrollTop + room)
            this.root.scrollTop = Math.min(y - head - 20, y + row.h - room + 20);
        const x = this.x.get(row.step.thread);
        if (x < this.root.scrollLeft || x + 120 > this.root.scrollLeft + this.root.clientWidth)
            this.root.scrollLeft = x - 10;
        const at = this.canvas.getBoundingClientRect().top + row.y;
        const low = innerHeight - coveredBelow();
        if (at < 40)
            scrollBy(0, at - 60);
        else if (at + row.h > low)
            scrollBy(0, Math.min(at - 60, at + row.h - low + 20));
    }

    /* The step after or before the selected one that is in the picture. */
    neighbour(by) {
        const steps = this.rows.filter(r => r.type === 'step').map(r => r.step.index);
        if (steps.length === 0)
            return -1;
        const at = steps.indexOf(this.selected);
        if (at < 0)
            return by > 0 ? steps[0] : steps[steps.length - 1];
        return steps[Math.max(0, Math.min(steps.length - 1, at + by))];
    }
}

/* On a narrow screen the source lies over the end of the page. */
function coveredBelow() {
    const sheet = document.querySelector('.finding.current .detail');
    return sheet && getComputedStyle(sheet).position === 'fixed' ? sheet.offsetHeight : 0;
}

/* Straight pieces with small round corners. */
function roundPath(points) {
    let d = 'M' + points[0][0] + ' ' + points[0][1];
    for (let i = 1; i < points.length - 1; i++) {
        const [x0, y0] = points[i - 1], [x, y] = points[i], [x1, y1] = points[i + 1];
        const before = Math.hypot(x - x0, y - y0), after = Math.hypot(x1 - x, y1 - y);
        const r = Math.min(5, before / 2, after / 2);
        if (r < 0.5) {
            d += ' L' + x + ' ' + y;
            continue;
        }
        d += ' L' + (x - (x - x0) / before * r) + ' ' + (y - (y - y0) / before * r) +
            ' Q' + x + ' ' + y + ' ' + (x + (x1 - x) / after * r) + ' ' + (y + (y1 - y) / after * r);
    }
    const end = points[points.length - 1];
    return d + ' L' + end[0] + ' ' + end[1];
}
