/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes from data. Whatever the data says becomes text of a node or a plain attribute;
 * no markup is ever made of it. */

const SVG = 'http://www.w3.org/2000/svg';

/* el('div', {class: 'card', onclick: f, title: 't'}, child, 'text', null, [more]) */
function el(tag, props, ...children) {
    return fill(document.createElement(tag), props, children);
}

function svg(tag, props, ...children) {
    return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(node, props, children) {
    for (const [name, value] of Object.entries(props || {})) {
        if (value === null || value === undefined || value === false)
            continue;
        if (name.startsWith('on'))
            node.addEventListener(name.slice(2), value);
        else
            node.setAttribute(name, value === true ? '' : value);
    }
    append(node, children);
    return node;
}

function append(node, children) {
    for (const child of children) {
        if (Array.isArray(child))
            append(node, child);
        else if (child !== null && child !== undefined && child !== '')
            node.append(child);
    }
}

/* Where an element stands; CSS rules have no way to know. */
function place(node, left, top, width, height) {
    node.style.left = left + 'px';
    node.style.top = top + 'px';
    if (width !== undefined)
        node.style.width = width + 'px';
    if (height !== undefined)
        node.style.height = height + 'px';
    return node;
}

/* Into a map of lists. */
function addTo(map, key, value) {
    if (!map.has(key))
        map.set(key, []);
    map.get(key).push(value);
}

/* The colour of a thread: style.css. */
function threadClass(t) {
    return 'th-' + t % 8;
}

function count(n, one, many) {
    return number(n) + ' ' + (n === 1 ? one : many || one + 's');
}

function number(n) {
    return String(Math.round(n)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

function placeText(at) {
    if (!at || !at.file)
        return 'unknown place';
    return baseName(at.file) + (at.line > 0 ? ':' + at.line : '');
}

/* A sentence in which names such as a->b do not break at the arrow. */
function prose(text) {
    return text.split(/(\S*->\S*)/).map((word, i) => i % 2 ? el('span', {class: 'name'}, word) : word);
}

function baseName(path) {
    return path.slice(path.lastIndexOf('/') + 1) || path;
}

/* A line of code as nodes: comments, texts and words of C stand out a little. */
const C_TOKEN = new RegExp([
    '(\\/\\/.*|\\/\\*.*?(?:\\*\\/|$))',
    '("(?:\\\\.|[^"\\\\])*"?|\'(?:\\\\.|[^\'\\\\])*\'?)',
    '\\b(auto|bool|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|' +
        'register|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|_Atomic)\\b',
    '(^\\s*#.*)',
].join('|'), 'g');

function codeNodes(text) {
    const nodes = [];
    let end = 0;
    for (const m of text.slice(0, 2000).matchAll(C_TOKEN)) {
        const kind = m[1] ? 'c-comment' : m[2] ? 'c-text' : m[3] ? 'c-word' : 'c-macro';
        nodes.push(text.slice(end, m.index), el('span', {class: kind}, m[0]));
        end = m.index + m[0].length;
    }
    nodes.push(text.slice(end));
    return nodes;
}

/* A command with a button that copies it. */
function commandLine(text) {
    const button = el('button', {type: 'button', class: 'copy', 'aria-label': 'Copy: ' + text}, 'copy');
    button.addEventListener('click', () => {
        const done = () => {
            button.textContent = 'copied';
            setTimeout(() => { button.textContent = 'copy'; }, 1500);
        };
        if (navigator.clipboard)
            navigator.clipboard.writeText(text).then(done, () => selectText(code));
        else
            selectText(code);
    });
    const code = el('code', {}, text);
    return el('div', {class: 'command'}, code, button);
}

function selectText(node) {
    const range = document.createRange();
    range.selectNodeContents(node);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
}

/* ---- light and dark ---- */

const THEMES = ['auto', 'light', 'dark'];

/* A file of the disk may have no storage; the choice then lasts as long as the page. */
function themeStored(value) {
    try {
        if (value === undefined)
            return localStorage.getItem('treadle-theme');
        localStorage.setItem('treadle-theme', value);
    } catch (e) {
        return null;
    }
    return value;
}

function themeButton() {
    const button = el('button', {type: 'button', class: 'theme'});
    const stored = themeStored();
    let theme = THEMES.includes(stored) ? stored : 'auto';
    const show = () => {
        document.documentElement.dataset.theme = theme;
        button.textContent = {auto: '\u25d0 auto', light: '\u2600 light', dark: '\u263e dark'}[theme];
        button.setAttribute('aria-label', 'Colours: ' + theme + '. Press to change.');
    };
    button.addEventListener('click', () => {
        theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
        themeStored(theme);
        show();
    });
    show();
    return button;
}

function topBar(...words) {
    return el('header', {class: 'bar'}, el('span', {class: 'brand'}, 'treadle'), words, el('span', {class: 'grow'}),
              themeButton());
}
