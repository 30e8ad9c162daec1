/* SPDX-License-Identifier: Apache-2.0 */
/* A finding: what failed, with which inputs, why; the lanes beside the source; the causes; the
 * commands that repeat it. */

/* The view that the keys j and k mean: the one used last. */
let currentView = null;
let nViews = 0;

class FindingView {
    /* opts.directory: what stands before the name of the recording, "" */
    constructor(page, opts) {
        this.page = page;
        this.opts = opts;
        this.name = 'f' + nViews++;
        this.model = new Model(page);
        this.choice = {everything: false, thread: -1, object: ''};
        const on = {
            select: s => this.select(s, true), thread: t => this.filterThread(t), object: o => this.filterObject(o),
            move: by => this.move(by), line: steps => this.selectOnLine(steps),
        };
        this.lanes = new Lanes(this.model, on, this.name);
        this.detail = new Detail(this.model, on);
        this.waits = page.waits.length > 0 ? new WaitGraph(this.model, {place: e => this.selectPlace(e), object: on.object}, this.name) : null;
        this.graph = new Graph(this.model, on, this.name);
        this.status = el('div', {class: 'sr', 'aria-live': 'polite'});
        const empty = this.model.steps.length === 0;
        this.root = el('article', {class: 'finding'}, this.heading(), this.facts(), this.picture(), empty ? null : this.causes(), this.again());
        this.root.classList.toggle('empty', empty);
        this.root.addEventListener('keydown', e => this.key(e));
        this.root.addEventListener('pointerdown', () => this.become());
        this.root.addEventListener('focusin', () => this.become());
        /* On a narrow screen the source lies over the page, as long as the lanes are there. */
        new IntersectionObserver(entries => {
            const last = entries[entries.length - 1];
            this.root.classList.toggle('away', !last.isIntersecting);
            if (last.isIntersecting && (!currentView || currentView.root.classList.contains('away')))
                this.become();
        }, {rootMargin: '0px 0px -45% 0px'}).observe(this.lanes.root);
    }

    /* Called once the view is on the page: only then widths are known. */
    start() {
        this.become();
        this.lanes.selected = this.model.failing;
        this.show(false);
        if (this.model.failing >= 0)
            this.detail.show(this.model.failing);
        this.lanes.root.scrollTop = Math.max(0, this.lanes.root.scrollHeight - this.lanes.root.clientHeight);
        this.lanes.draw();
    }

    become() {
        if (currentView)
            currentView.root.classList.remove('current');
        currentView = this;
        this.root.classList.add('current');
    }

    /* ---- parts ---- */

    heading() {
        const p = this.page;
        return el('div', {class: 'finding-head'},
            el('p', {class: 'kind'}, el('span', {class: 'badge bad'}, p.title || p.kind), el('code', {class: 'id'}, p.id)),
            el('h1', {}, el('span', {class: 'place'}, placeText(p.at)), ' ', p.message,
               p.values ? el('span', {class: 'values'}, p.values) : null),
            el('p', {class: 'run'}, el('code', {}, [p.program].concat(p.args).join(' ')),
               el('span', {}, count(p.preemptions, 'preemption')),
               el('span', {}, this.threadsSentence()),
               p.left_out > 0 ? el('span', {}, count(p.left_out, 'earlier operation') + ' omitted') : null));
    }

    threadsSentence() {
        const n = this.model.threads.length, matter = this.model.threads.filter(t => t.matters).length;
        return matter === n ? count(n, 'thread') : matter + ' of ' + count(n, 'thread') + ' involved';
    }

    facts() {
        const p = this.page, parts = [];
        if (p.why.length > 0)
            parts.push(section('Why', p.why.map(s => el('p', {}, prose(s)))));
        if (p.fix)
            parts.push(section('Fix', this.fix()));
        if (p.output)
            parts.push(section(p.output_of === 'stderr' ? 'Standard error' : 'Standard output', el('pre', {}, p.output)));
        if (p.inputs.length > 0 || p.condition)
            parts.push(section('Input', this.inputs()));
        if (p.parties.length > 0)
            parts.push(this.waits ? el('section', {class: 'waits-section'}, el('h2', {}, 'Who waits for whom'), this.waits.root, this.waitLegend()) : null,
                       section(this.partiesTitle(), el('ul', {class: 'parties'}, p.parties.map(x => this.party(x)))));
        return el('div', {class: 'facts'}, parts, section('Threads', this.threadList()));
    }

    fix() {
        const f = this.page.fix;
        if (!f.is_found)
            return el('p', {}, f.is_cut ? 'None found yet; try: ' : count(f.tried, 'change') + ' tried, none holds: ', el('code', {}, f.command));
        return [f.same_as ? el('p', {}, 'The change of ', el('code', {}, f.same_as), ': no schedule fails with it.') : null,
                el('p', {}, prose(f.text)), f.excerpt ? el('pre', {}, f.excerpt.replace(/\n$/, '')) : null,
                f.note ? el('p', {}, prose(f.note)) : null, el('p', {class: 'muted'}, f.explored)];
    }

    inputs() {
        const rows = joinBytes(this.page.inputs).map(i => el('tr', {class: i.matters ? '' : 'muted'},
            el('th', {scope: 'row'}, el('code', {}, i.name)), el('td', {}, el('code', {}, i.value)), el('td', {class: 'muted'}, i.type)));
        return [el('table', {class: 'inputs'}, el('tbody', {}, rows)),
                this.page.condition ? el('p', {}, 'Fails when ', el('code', {}, this.page.condition)) : null];
    }

    partiesTitle() {
        const roles = new Set(this.page.parties.map(p => p.role));
        if (roles.has('waits'))
            return 'Waiting threads';
        return roles.has('allocated') || roles.has('freed') ? 'The block' : 'Both sides';
    }

    party(x) {
        return el('li', {}, el('span', {class: 'who'}, this.model.threadName(x.thread)), ' ', prose(x.text),
                  el('button', {type: 'button', class: 'to', onclick: () => this.selectPlace(x)},
                     placeText(x.at) + (x.at.function ? ' in ' + x.at.function : '')));
    }

    threadList() {
        const many = this.model.threads.length > 5;
        return el('ul', {class: 'threads' + (many ? ' many' : '')}, this.model.threads.map((t, i) => el('li', {class: t.matters ? '' : 'muted'},
            el('button', {type: 'button', class: 'object', title: 'Only ' + t.title, onclick: () => this.filterThread(i)}, t.title),
            t.created.line > 0 ? el('span', {class: 'muted'}, (many ? ' ' : ' created at ') + placeText(t.created) +
                                    (!many && t.created.function ? ' in ' + t.created.function : '')) : null)));
    }

    picture() {
        const mode = (text, everything) => el('button', {type: 'button', onclick: () => this.setEverything(everything)}, text);
        this.modes = [mode('Relevant steps', false), mode('Everything', true)];
        this.shown = el('span', {class: 'muted shown'});
        this.filters = el('span', {class: 'filters'});
        this.watch = el('div', {class: 'watch', 'aria-label': 'Values of the chosen variable'});
        this.objectMenu = this.makeObjectMenu();
        return el('section', {class: 'picture', 'aria-label': 'Interleaving'},
            el('div', {class: 'tools'}, el('div', {class: 'switch', role: 'group', 'aria-label': 'What is shown'}, this.modes),
               this.objectMenu, this.filters, this.shown, el('span', {class: 'grow'}),
               el('span', {class: 'keys muted'}, el('kbd', {}, 'j'), ' ', el('kbd', {}, 'k'), ' step  ', el('kbd', {}, 'f'),
                  ' failure  ', el('kbd', {}, 'e'), ' everything  ', el('kbd', {}, 'esc'), ' no filter')),
            this.watch,
            el('div', {class: 'split'}, el('div', {class: 'left'}, this.lanes.root, this.legend()), this.detail.root),
            this.page.hidden ? el('p', {class: 'muted hidden-note'}, 'Hidden: ' + this.page.hidden + '.') : null, this.status);
    }

    makeObjectMenu() {
        const names = this.model.objects().slice(0, 200);
        if (names.length === 0)
            return null;
        const menu = el('select', {'aria-label': 'Only one variable or lock'}, el('option', {value: ''}, 'all variables and locks'),
                        names.map(n => el('option', {value: n}, n)));
        menu.addEventListener('change', () => this.filterObject(menu.value));
        return menu;
    }

    legend() {
        const sample = (kind, text) => el('span', {}, svg('svg', {width: 26, height: 10, 'aria-hidden': 'true'},
            svg('path', {class: kind, d: 'M1 5 H25'})), ' ' + text);
        return el('p', {class: 'legend muted'}, sample('wire from', 'value read from'), sample('wire after', 'had to come before'),
                  sample('cut', 'preemption'), sample('turn', 'switch'));
    }

    waitLegend() {
        const sample = (kind, text) => el('span', {}, svg('svg', {width: 26, height: 10, 'aria-hidden': 'true'},
            svg('path', {class: kind, d: 'M1 5 H25'})), ' ' + text);
        return el('p', {class: 'legend muted'}, sample('wire waits', 'waits for'), sample('wire po', 'held by'),
                  this.page.waits.some(e => e.role === 'last') ? sample('wire after', 'last signalled or posted by') : null);
    }

    /* The values of the chosen variable, step by step. */
    showWatch() {
        const name = this.choice.object;
        const acts = name === '' ? [] : this.model.acts.filter(a => a.object === name);
        const shown = acts.slice(-60);
        this.watch.replaceChildren(...acts.length === 0 ? [] : [el('span', {class: 'name'}, name),
            acts.length > shown.length ? count(acts.length - shown.length, 'earlier one') + ' \u2026' : '',
            ...shown.map(a => {
                const step = this.model.steps[a.step], what = a.text.replace(name, '').trim();
                return el('button', {type: 'button', class: threadClass(step.thread) + (/^= /.test(what) ? ' writes' : ''),
                                     title: this.model.threadName(step.thread) + ' ' + placeText(step.at) + ': ' + a.text,
                                     onclick: () => this.select(a.step, true)},
                          this.model.stepName(a.step) + ' ' + cut(what, 34));
            })].filter(n => n !== ''));
    }

    causes() {
        return el('section', {class: 'causes'}, el('h2', {}, 'Causes of the failure'),
            el('p', {class: 'muted'}, 'The last events of the unfolding. Each event is below its causes; unordered events are side by side. ' +
               '\u22ef: the event has more causes.'),
            this.graph.root);
    }

    again() {
        const p = this.page, recording = (this.opts.directory ? this.opts.directory + '/' : '') + p.recording;
        const target = p.recording ? recording : p.id;
        return el('section', {class: 'again'}, el('h2', {}, 'Again'),
            el('div', {class: 'commands'},
               el('span', {}, 'Replay'), commandLine('treadle replay ' + target),
               el('span', {}, 'Debug'), commandLine('treadle replay --gdb ' + target),
               p.recording ? [el('span', {}, 'Share'), el('code', {class: 'plain-code'}, recording)] : null,
               p.schedule ? [el('span', {}, 'Schedule'), el('code', {class: 'plain-code'}, p.schedule)] : null,
               el('span', {}, 'Made by'), el('span', {}, 'treadle ' + p.version)),
            p.text ? el('details', {}, el('summary', {}, 'The report as text'), el('pre', {class: 'text'}, p.text)) : null);
    }

    /* ---- choices of the reader ---- */

    show(scroll = true) {
        this.lanes.show(this.choice);
        /* From 4 threads on lanes take the whole width, and the source stands below them. */
        const n = this.lanes.lanes.length;
        if (this.root.classList.contains('stacked') !== (n > 3 && n <= 6)) {
            this.root.classList.toggle('stacked');
            this.lanes.arrange();
        }
        this.modes.forEach((button, i) => button.setAttribute('aria-pressed', String(this.choice.everything === (i === 1))));
        this.shown.textContent = number(this.model.countVisible(this.choice)) + ' of ' + count(this.model.steps.length, 'card');
        if (this.objectMenu)
            this.objectMenu.value = this.choice.object;
        this.showFilters();
        this.showWatch();
        if (!this.lanes.rowOfStep.has(this.lanes.selected))
            this.select(this.nearest(this.lanes.selected), scroll);
        else
            this.lanes.select(this.lanes.selected, scroll);
    }

    showFilters() {
        const chips = [];
        const chip = (text, clear) => chips.push(el('button', {
            type: 'button', class: 'chip', 'aria-label': 'No longer only ' + text, onclick: clear}, text, el('span', {'aria-hidden': 'true'}, ' \u00d7')));
        if (this.choice.thread >= 0)
            chip(this.model.threadName(this.choice.thread), () => this.filterThread(-1));
        if (this.choice.object !== '')
            chip(this.choice.object, () => this.filterObject(''));
        this.filters.replaceChildren(...chips);
    }

    nearest(s) {
        let best = -1;
        for (const at of this.lanes.rowOfStep.keys())
            if (best < 0 || Math.abs(at - s) < Math.abs(best - s))
                best = at;
        return best;
    }

    setEverything(everything) {
        this.choice.everything = everything;
        this.show();
    }

    filterThread(t) {
        this.choice.thread = this.choice.thread === t ? -1 : t;
        this.show();
    }

    filterObject(o) {
        this.choice.object = this.choice.object === o ? '' : o;
        this.show();
    }

    clearFilters() {
        this.choice.thread = -1;
        this.choice.object = '';
        this.show();
    }

    /* ---- selection ---- */

    select(s, scroll) {
        if (s < 0 || s >= this.model.steps.length)
            return;
        this.become();
        if (!this.lanes.rowOfStep.has(s)) {
            this.choice = {everything: true, thread: -1, object: ''};
            this.lanes.selected = s;
            this.show();
        }
        this.lanes.select(s, scroll);
        this.detail.show(s);
        this.status.textContent = this.lanes.describe(this.model.steps[s]);
    }

    move(by) {
        this.select(this.lanes.neighbour(by), true);
    }

    /* The next step on a line of the source, after the selected one or from the start. */
    selectOnLine(steps) {
        const seen = steps.filter(s => this.lanes.rowOfStep.has(s));
        const list = seen.length > 0 ? seen : steps;
        const next = list.find(s => s > this.lanes.selected);
        this.select(next === undefined ? list[0] : next, true);
    }

    selectPlace(party) {
        const fits = s => s.at.file === party.at.file && s.at.line === party.at.line;
        const steps = this.model.steps.filter(s => fits(s) && s.thread === party.thread);
        const list = steps.length > 0 ? steps : this.model.steps.filter(fits);
        if (list.length > 0)
            this.select(list[list.length - 1].index, true);
    }

    /* Keys of the lanes; true if it was one. */
    key(e) {
        if (e.target.closest('select, input, textarea') || e.ctrlKey || e.metaKey || e.altKey)
            return;
        const inLanes = e.target === this.lanes.root;
        const moves = {ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity};
        if (inLanes && e.key in moves) {
            e.preventDefault();
            this.move(Math.max(-1e9, Math.min(1e9, moves[e.key])));
        }
    }

    letter(key) {
        switch (key) {
        case 'j': this.move(1); break;
        case 'k': this.move(-1); break;
        case 'f': this.select(this.model.failing, true); break;
        case 'e': this.setEverything(!this.choice.everything); break;
        case 'Escape': this.clearFilters(); break;
        default: break;
        }
    }
}

/* Neighbouring bytes of one object, as text. */
function joinBytes(inputs) {
    const rows = [];
    let last = null;
    for (const input of inputs) {
        const part = /^(.*)\[(\d+)\]$/.exec(input.name), c = byteOf(input);
        if (part && c >= 0 && last && last.base === part[1] && last.next === Number(part[2])) {
            last.bytes.push(c);
            last.next++;
            last.row.matters = last.row.matters || input.matters;
            last.row.name = last.base + (last.first > 0 ? '[' + last.first + '..' + (last.next - 1) + ']' : '');
            last.row.value = '"' + last.bytes.map(byteText).join('') + '"';
            last.row.type = count(last.bytes.length, 'byte');
            continue;
        }
        const row = {...input};
        last = part && c >= 0 ? {base: part[1], first: Number(part[2]), next: Number(part[2]) + 1, bytes: [c], row} : null;
        rows.push(row);
    }
    return rows;
}

/* The value of an input of 8 bits whose sign is not known; -1: it is none. */
function byteOf(input) {
    const char = /^'(\\?.)'$/.exec(input.value);
    if (input.type !== 'b8')
        return -1;
    if (char)
        return char[1] === '\\n' ? 10 : char[1].charCodeAt(char[1].length - 1);
    const n = Number(input.value);
    return n >= 0 && n <= 255 ? n : -1;
}

function byteText(c) {
    if (c === 10)
        return '\\n';
    if (c === 34 || c === 92)
        return '\\' + String.fromCharCode(c);
    return c >= 32 && c < 127 ? String.fromCharCode(c) : '\\x' + c.toString(16).padStart(2, '0');
}

function section(title, ...children) {
    return el('section', {}, el('h2', {}, title), children);
}

document.addEventListener('keydown', e => {
    if (!currentView || e.ctrlKey || e.metaKey || e.altKey || e.target.closest('select, input, textarea'))
        return;
    currentView.letter(e.key);
});
