/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a session. */

const VERDICTS = {
    bug: ['bad', 'Bugs found'], complete: ['good', 'Complete: no bug found'], incomplete: ['open', 'Incomplete: no bug found'],
    suspected: ['bad', 'Suspected: a bug was seen, and not confirmed in time'],
    'nothing-explored': ['open', 'Nothing explored: no thread, no input'],
};

function factValue(data, name) {
    const fact = data.facts.find(f => f.name === name);
    return fact ? fact.value : '';
}

function sessionHead(data) {
    const [kind, text] = VERDICTS[data.verdict] || ['open', 'Not finished'];
    const parts = ['goal', 'search'].filter(n => factValue(data, n)).map(n => el('span', {}, n + ' ' + factValue(data, n)));
    return el('div', {class: 'finding-head'},
        el('p', {class: 'kind'}, el('span', {class: 'badge ' + kind}, text), el('code', {class: 'id'}, data.dir)),
        el('h1', {}, data.program), el('p', {class: 'run'}, parts, el('span', {}, 'treadle ' + data.version),
                                       data.stopped ? el('span', {}, 'stopped: ' + data.stopped) : null));
}

/* The figures that people ask for first. */
function tiles(data) {
    const last = data.samples[data.samples.length - 1];
    const known = (name, fallback) => {
        const value = Number(factValue(data, name));
        return factValue(data, name) !== '' && Number.isFinite(value) ? value : fallback;
    };
    const runs = known('runs', last ? last.runs : null), events = known('events', last ? last.events : null);
    const seconds = known('seconds', last ? last.ms / 1000 : null);
    const taken = data.sides.filter(s => s.taken).length;
    const list = [[count(data.findings.length, 'finding').split(' ')[1], number(data.findings.length)]];
    if (runs !== null)
        list.push(['runs', number(runs)]);
    if (events !== null)
        list.push(['events', number(events)]);
    if (seconds !== null)
        list.push(['time', timeText(seconds * 1000)]);
    if (runs !== null && seconds > 0)
        list.push(['runs per second', number(runs / seconds)]);
    if (data.sides.length > 0)
        list.push(['branch outcomes', percent(taken, data.sides.length)]);
    list.push(['ledger entries', number(data.ledger.length)]);
    return el('dl', {class: 'tiles'}, list.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
}

function sessionFindings(data) {
    if (data.findings.length === 0)
        return el('p', {class: 'muted'}, data.verdict === 'complete' ? 'None, and everything was covered.' : 'None.');
    return data.findings.map((page, i) => {
        const node = el('details', {class: 'finding-fold', id: page.id},
            el('summary', {}, el('span', {class: 'badge bad'}, page.title || page.kind), el('code', {class: 'fold-place'}, placeText(page.at)),
               el('span', {class: 'fold-text'}, page.message), page.values ? el('code', {class: 'fold-values'}, page.values) : null,
               el('code', {class: 'id'}, page.id)));
        let view = null;
        node.addEventListener('toggle', () => {
            if (!node.open || view)
                return;
            view = new FindingView(page, {directory: data.dir});
            node.append(view.root);
            view.start();
        });
        if (i === 0 && data.findings.length === 1)
            node.open = true;
        return node;
    });
}

function table(head, rows, right) {
    const side = i => right.includes(i) ? 'right' : '';
    return el('div', {class: 'table-box'}, el('table', {class: 'table'},
        el('thead', {}, el('tr', {}, head.map((h, i) => el('th', {scope: 'col', class: side(i)}, h)))),
        el('tbody', {}, rows.map(r => el('tr', {}, r.map((c, i) => el('td', {class: side(i)}, c)))))));
}

function sessionSolver(solver) {
    const sums = count(solver.queries, 'query', 'queries') + ': ' + number(solver.sat) + ' satisfiable, ' + number(solver.unsat) +
        ' unsatisfiable, ' + number(solver.unknown) + ' unknown, ' + number(solver.cached) + ' cached.';
    const rows = solver.stages.map(s => [s.name, number(s.answered), s.calls > 0 ? number(s.calls) : '',
                                         s.seconds > 0 ? timeText(s.seconds * 1000) : '']);
    return [el('p', {}, sums), rows.length > 0 ? el('details', {}, el('summary', {}, 'Stages of the solver'),
                                                    table(['Stage', 'Answered', 'Calls', 'Time'], rows, [1, 2, 3])) : null];
}

/* Why it is incomplete, what makes it large, and what to do about it: the sentences of the summary. */
const ADVICE = [['large_by', 'Large by'], ['to_shrink', 'To shrink'], ['to_continue', 'To continue'], ['bounds_completed', 'Completed']];

function sessionAdvice(data) {
    const rows = [['Stopped', data.stopped], ...ADVICE.map(([name, title]) => [title, factValue(data, name)])];
    return el('dl', {class: 'advice'}, rows.filter(r => r[1]).map(([title, text]) => el('div', {}, el('dt', {}, title), el('dd', {}, text))));
}

function sessionLedger(data) {
    const ledger = data.ledger;
    if (ledger.length === 0)
        return el('p', {class: 'muted'}, data.verdict === 'complete' ? 'Nothing was left out.' :
            'No entry: the search was stopped before it finished' + (data.stopped ? ' (stopped: ' + data.stopped + ').' : '.'));
    return table(['What', 'Where', 'Times', ''],
                 ledger.map(g => [g.kind, el('code', {}, g.file ? placeText(g) : ''), number(g.count), g.text]), [2]);
}

function sessionFacts(data) {
    const rest = data.facts.filter(f => !ADVICE.some(a => a[0] === f.name));
    return el('details', {}, el('summary', {}, 'All values, by their names in session.db'),
              el('dl', {class: 'fact-list'}, rest.map(f => el('div', {}, el('dt', {}, f.name), el('dd', {}, f.value)))));
}

function anchored(id, title, ...children) {
    return el('section', {class: 'part', id, 'aria-labelledby': id + '-title'}, el('h2', {id: id + '-title'}, title), children);
}

{
    const data = decodeSession(JSON.parse(document.getElementById('data').textContent));
    const parts = [['findings', 'Findings', sessionFindings(data)]];
    if (data.verdict === 'incomplete' && data.stopped)
        parts.unshift(['incomplete', 'Incomplete: why, and what to do', sessionAdvice(data)]);
    if (data.sides.length > 0)
        parts.push(['coverage', 'Coverage', coverageSection(data)]);
    if (data.samples.length > 1)
        parts.push(['growth', 'Growth', growth(data.samples)]);
    if (data.solver && data.solver.queries > 0)
        parts.push(['solver', 'Solver', sessionSolver(data.solver)]);
    parts.push(['ledger', 'Ledger: what was not covered', sessionLedger(data)]);
    parts.push(['session', 'Session', [sessionFacts(data), data.text ?
        el('details', {}, el('summary', {}, 'The summary as text'), el('pre', {class: 'text'}, data.text)) : null]]);
    document.getElementById('app').append(
        topBar(el('span', {class: 'muted'}, 'session'), el('nav', {class: 'nav', 'aria-label': 'Parts of the page'},
            parts.map(([id, title]) => el('a', {href: '#' + id}, title.split(':')[0])))),
        el('main', {id: 'main', tabindex: '-1'}, sessionHead(data), tiles(data), parts.map(p => anchored(...p))));
    /* A link to a finding opens it. */
    const openTarget = () => {
        const node = document.getElementById(decodeURIComponent(location.hash.slice(1)));
        if (node && node.tagName === 'DETAILS') {
            node.open = true;
            node.scrollIntoView();
        }
    };
    addEventListener('hashchange', openTarget);
    openTarget();
}
