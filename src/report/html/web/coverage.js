/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage: sides of branches by file, and the source with what each line took. */

/* file -> {taken, all, lines: Map(line -> branches: Map(column -> sides))} */
function coverageByFile(sides) {
    const files = new Map();
    for (const side of sides) {
        if (!files.has(side.file))
            files.set(side.file, {file: side.file, taken: 0, all: 0, lines: new Map()});
        const file = files.get(side.file);
        file.all++;
        file.taken += side.taken ? 1 : 0;
        if (!file.lines.has(side.line))
            file.lines.set(side.line, new Map());
        const branches = file.lines.get(side.line);
        addTo(branches, side.column, side);
    }
    return [...files.values()].sort((a, b) => a.file < b.file ? -1 : 1);
}

function percent(n, all) {
    return all === 0 ? '' : n === all ? '100 %' : Math.min(99, Math.floor(n * 100 / all)) + ' %';
}

/* What to say of a line: all sides, some, none; and which are missing. */
function lineNote(branches) {
    let taken = 0, all = 0;
    const missing = [];
    for (const sides of branches.values()) {
        all += sides.length;
        const never = sides.filter(s => !s.taken);
        taken += sides.length - never.length;
        if (never.length === sides.length)
            missing.push('never reached');
        else if (never.length > 0)
            missing.push(sides[0].n_sides === 2 ? 'never ' + (never[0].side === 1 ? 'true' : 'false')
                                               : count(never.length, 'case') + ' never taken');
    }
    const kind = taken === all ? 'full' : taken === 0 ? 'none' : 'part';
    return {kind, text: taken + '/' + all, missing: [...new Set(missing)].join(', ')};
}

function coverageSection(data) {
    const files = coverageByFile(data.sides);
    const texts = new Map(data.sources.map(s => [s.file, s.text]));
    if (files.length === 0)
        return el('p', {class: 'muted'}, 'No branch outcomes were recorded for this session.');
    return files.map(f => coverageFile(f, texts.get(f.file)));
}

function coverageFile(f, text) {
    const body = el('div', {class: 'code annotated', tabindex: '0', role: 'region', 'aria-label': 'Source of ' + f.file});
    const bar = el('span', {class: 'bar-box', 'aria-hidden': 'true'}, el('span', {class: 'bar-fill'}));
    bar.firstChild.style.width = (f.all ? f.taken * 100 / f.all : 0) + '%';
    const node = el('details', {class: 'file'},
        el('summary', {}, el('code', {class: 'file-name'}, f.file), bar,
           el('span', {class: 'file-count'}, f.taken + ' of ' + count(f.all, 'branch outcome'), '  ', percent(f.taken, f.all))), body);
    node.addEventListener('toggle', () => {
        if (node.open && !body.firstChild)
            body.append(...annotated(f, text));
    });
    return node;
}

function annotated(f, text) {
    if (text === undefined)
        return [el('p', {class: 'muted none'}, 'The source of this file is not available. Lines with branch outcomes that were not taken:'),
                ...[...f.lines].sort((a, b) => a[0] - b[0]).map(([n, b]) => annotatedLine(n, '', b))];
    return text.replace(/\n$/, '').split('\n').map((line, i) => annotatedLine(i + 1, line, f.lines.get(i + 1)));
}

function annotatedLine(n, text, branches) {
    const note = branches ? lineNote(branches) : null;
    return el('div', {class: 'code-line' + (note ? ' ' + note.kind : '')}, el('span', {class: 'n'}, String(n)),
              el('span', {class: 'sides'}, note ? note.text : ''), el('span', {class: 't'}, codeNodes(text)),
              note && note.missing ? el('span', {class: 'missing'}, note.missing) : null);
}
