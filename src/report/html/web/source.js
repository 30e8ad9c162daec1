/* SPDX-License-Identifier: Apache-2.0 */
/* The selected step: its line in the source, what it did, where its values come from. */

class Detail {
    /* on: {select(step), thread(t), object(name), move(by)} */
    constructor(model, on) {
        this.model = model;
        this.on = on;
        this.files = new Map();
        this.file = null;
        this.title = el('h3', {});
        this.where = el('div', {class: 'where'});
        this.calls = el('div', {class: 'stack-of'});
        this.code = el('div', {class: 'code', tabindex: '0', role: 'region', 'aria-label': 'Source'});
        this.acts = el('ul', {class: 'acts'});
        this.fold = el('button', {type: 'button', class: 'fold', 'aria-expanded': 'true', 'aria-label': 'Show or hide the source'}, '\u2304');
        this.root = el('aside', {class: 'detail', 'aria-label': 'The selected step'},
            el('div', {class: 'detail-head'}, el('div', {class: 'detail-title'}, this.title, this.where, this.calls),
               el('div', {class: 'moves'},
                  el('button', {type: 'button', 'aria-label': 'Previous step', onclick: () => on.move(-1)}, '\u2191'),
                  el('button', {type: 'button', 'aria-label': 'Next step', onclick: () => on.move(1)}, '\u2193'), this.fold)),
            this.acts, this.code);
        this.fold.addEventListener('click', () => {
            const folded = this.root.classList.toggle('folded');
            this.fold.setAttribute('aria-expanded', String(!folded));
        });
        this.stepsOnLine = new Map();
        for (const step of model.steps)
            addTo(this.stepsOnLine, step.at.file + '\n' + step.at.line, step.index);
    }

    show(s) {
        const step = this.model.steps[s], thread = this.model.threads[step.thread];
        this.title.replaceChildren((step.number > 0 ? '#' + step.number + ' ' : '') + thread.title);
        this.where.replaceChildren(placeText(step.at) + (step.at.function ? ' in ' + step.at.function : ''), ...this.editorLink(step.at));
        this.where.title = step.at.file;
        this.calls.textContent = step.calls;
        this.acts.replaceChildren(...step.acts.map(act => this.act(act)));
        this.showSource(step);
    }

    /* Nothing unless the page was made for an editor. */
    editorLink(at) {
        const {editor, root} = this.model.page;
        if (!editor || !at.file || at.line === 0)
            return [];
        const path = at.file.startsWith('/') ? at.file : root + '/' + at.file;
        return [el('a', {class: 'to', href: editor + '://file' + encodeURI(path) + ':' + at.line}, 'open in ' + editor)];
    }

    act(act) {
        const item = el('li', {class: act.fails ? 'fails' : ''}, this.words(act));
        if (act.from >= 0)
            item.append(this.link('value from', act.from));
        if (act.after >= 0 && act.after !== act.from)
            item.append(this.link('after', act.after));
        const readers = this.model.readers.get(act.index) || [];
        readers.slice(0, 4).forEach(r => item.append(this.link('read by', r)));
        if (readers.length > 4)
            item.append(el('span', {class: 'muted'}, ' and ' + count(readers.length - 4, 'more read', 'more reads')));
        return item;
    }

    words(act) {
        const at = act.object === '' ? -1 : act.text.indexOf(act.object);
        if (at < 0)
            return el('code', {}, act.text);
        return el('code', {}, act.text.slice(0, at),
                  el('button', {type: 'button', class: 'object', title: 'Only ' + act.object,
                                onclick: () => this.on.object(act.object)}, act.object),
                  act.text.slice(at + act.object.length));
    }

    link(word, target) {
        const s = this.model.acts[target].step;
        return el('button', {type: 'button', class: 'to', onclick: () => this.on.select(s)},
                  word + ' ' + this.model.stepName(s));
    }

    showSource(step) {
        if (this.line)
            this.line.removeAttribute('aria-current');
        this.line = null;
        if (this.file !== step.at.file) {
            this.file = step.at.file;
            if (!this.files.has(this.file))
                this.files.set(this.file, this.fileNodes(this.file));
            const {nodes} = this.files.get(this.file);
            this.code.replaceChildren(...nodes);
        }
        this.line = this.files.get(this.file).lines.get(step.at.line) || null;
        if (!this.line)
            return;
        this.line.setAttribute('aria-current', 'true');
        const top = this.line.offsetTop - this.code.offsetTop;
        if (top < this.code.scrollTop + 20 || top > this.code.scrollTop + this.code.clientHeight - 40)
            this.code.scrollTop = top - this.code.clientHeight / 2;
    }

    fileNodes(file) {
        const nodes = [], lines = new Map();
        const parts = this.model.page.sources.filter(p => p.file === file).sort((p, q) => p.first - q.first);
        if (parts.length === 0)
            nodes.push(el('p', {class: 'muted none'}, file ? 'The source of ' + file + ' is not available.' : 'This step has no source line.'));
        parts.forEach((part, i) => {
            if (i > 0 || part.first > 1)
                nodes.push(el('div', {class: 'skipped', 'aria-hidden': 'true'}, '\u22ef'));
            part.text.replace(/\n$/, '').split('\n').forEach((text, k) => {
                const line = this.lineNode(file, part.first + k, text);
                lines.set(part.first + k, line);
                nodes.push(line);
            });
        });
        return {nodes, lines};
    }

    lineNode(file, n, text) {
        const steps = this.stepsOnLine.get(file + '\n' + n);
        const node = el('div', {class: 'code-line' + (steps ? ' used' : '')}, el('span', {class: 'n'}, String(n)),
                        el('span', {class: 't'}, codeNodes(text)));
        if (steps)
            node.addEventListener('click', () => this.on.line(steps));
        return node;
    }
}
