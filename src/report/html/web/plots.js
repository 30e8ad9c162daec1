/* SPDX-License-Identifier: Apache-2.0 */
/* How a session grew: one small plot per quantity, all over the same time; pairs of places over runs. */

const PLOT_H = 120, PLOT_LEFT = 46, PLOT_LOW = 18, PLOT_TOP = 8;

function timeText(ms) {
    if (ms < 1000)
        return Math.round(ms) + ' ms';
    if (ms < 120000)
        return (ms / 1000).toFixed(ms < 10000 ? 1 : 0).replace(/\.0$/, '') + ' s';
    if (ms < 7200000)
        return (ms / 60000).toFixed(ms < 600000 ? 1 : 0).replace(/\.0$/, '') + ' min';
    return (ms / 3600000).toFixed(1).replace(/\.0$/, '') + ' h';
}

function shortNumber(n) {
    for (const [size, letter] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']])
        if (n >= size)
            return (n / size).toFixed(n / size < 10 && n % size !== 0 ? 1 : 0).replace(/\.0$/, '') + letter;
    return String(n);
}

/* What plots are drawn over. */
const TIME = {value: s => s.ms, text: timeText};
const RUNS = {value: s => s.runs, text: n => shortNumber(n) + ' runs'};

/* Up to five round values, 0 among them. */
function ticks(most) {
    if (most <= 0)
        return [0];
    const rough = most / 4, unit = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(f => f * unit).find(s => s >= rough);
    const list = [];
    for (let v = 0; v <= most * 1.0001; v += step)
        list.push(v);
    return list.filter(v => most < 3 ? v === Math.round(v) : true);
}

class Plot {
    constructor(title, samples, value, over = TIME) {
        this.title = title;
        this.over = over;
        this.points = samples.map(s => [over.value(s), value(s)]);
        this.readout = el('span', {class: 'plot-value'});
        this.box = el('div', {class: 'plot-box'});
        this.root = el('figure', {class: 'plot'}, el('figcaption', {}, title, this.readout), this.box);
        this.box.addEventListener('pointermove', e => this.point(e));
        this.box.addEventListener('pointerleave', () => this.rest());
        new ResizeObserver(() => this.draw()).observe(this.box);
        this.rest();
    }

    last() {
        return this.points[this.points.length - 1];
    }

    rest() {
        this.readout.textContent = number(this.last()[1]);
        if (this.hair)
            this.hair.setAttribute('visibility', 'hidden');
    }

    x(ms) {
        return PLOT_LEFT + ms / this.time * (this.width - PLOT_LEFT - 8);
    }

    y(v) {
        return PLOT_TOP + (1 - v / this.most) * (PLOT_H - PLOT_TOP - PLOT_LOW);
    }

    draw() {
        const width = this.box.clientWidth;
        if (width === 0 || width === this.width)
            return;
        this.width = width;
        this.time = Math.max(1, this.last()[0]);
        this.most = Math.max(1, ...this.thin().map(p => p[1]));
        const line = this.thin().map(([ms, v]) => this.x(ms).toFixed(1) + ' ' + this.y(v).toFixed(1));
        const low = this.y(0), end = this.x(this.time);
        this.hair = svg('line', {class: 'hair', y1: PLOT_TOP, y2: low, visibility: 'hidden'});
        this.box.replaceChildren(svg('svg', {
            width, height: PLOT_H, role: 'img',
            'aria-label': this.title + ': ' + number(this.last()[1]) + ' after ' + this.over.text(this.time),
        }, ticks(this.most).map(v => [
            svg('line', {class: 'grid', x1: PLOT_LEFT, x2: width - 8, y1: this.y(v), y2: this.y(v)}),
            svg('text', {class: 'tick', x: PLOT_LEFT - 6, y: this.y(v) + 4, 'text-anchor': 'end'}, shortNumber(v)),
        ]), svg('path', {class: 'area', d: 'M' + PLOT_LEFT + ' ' + low + ' L' + line.join(' L') + ' L' + end + ' ' + low + ' z'}),
        svg('path', {class: 'curve', d: 'M' + line.join(' L')}), this.hair,
        svg('text', {class: 'tick', x: PLOT_LEFT, y: PLOT_H - 4}, '0'),
        svg('text', {class: 'tick', x: width - 8, y: PLOT_H - 4, 'text-anchor': 'end'}, this.over.text(this.time))));
    }

    /* As many points as there are pixels, the last one always. */
    thin() {
        const every = Math.ceil(this.points.length / 600);
        return this.points.filter((_, i) => i % every === 0 || i === this.points.length - 1);
    }

    point(e) {
        const ms = (e.clientX - this.box.getBoundingClientRect().left - PLOT_LEFT) / (this.width - PLOT_LEFT - 8) * this.time;
        let best = this.points[0];
        for (const p of this.points)
            if (Math.abs(p[0] - ms) < Math.abs(best[0] - ms))
                best = p;
        this.readout.textContent = number(best[1]) + ' at ' + this.over.text(best[0]);
        this.hair.setAttribute('x1', this.x(best[0]));
        this.hair.setAttribute('x2', this.x(best[0]));
        this.hair.setAttribute('visibility', 'visible');
    }
}

function growth(samples) {
    const plots = [
        ['Runs', s => s.runs], ['Events', s => s.events], ['Branch outcomes taken', s => s.sides_taken],
        ['Remaining targets', s => s.targets], ['Findings', s => s.findings], ['Solver queries', s => s.queries],
        ['Pairs of places, over runs', s => s.pairs, RUNS],
    ].filter(([, value], i) => i === 0 || samples.some(s => value(s) > 0));
    return el('div', {class: 'plots'}, plots.map(([title, value, over]) => new Plot(title, samples, value, over).root));
}
