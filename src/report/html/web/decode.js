/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a page as treadle packs it: html_data.c writes what is read here. Words that occur
 * often stand once, in a list, and are named by their index; steps and acts are rows of numbers. */

const SHOWN = 1, CHOICE = 2, FAILS = 4, MATTERS = 8;

function decodePlace(row, words) {
    return {file: words[row[0]], line: row[1], function: words[row[2]]};
}

function decodeFinding(data) {
    const words = data.words;
    return {
        ...data,
        at: decodePlace(data.at, words),
        inputs: data.inputs.map(([name, value, type, flags]) => ({name, value, type, matters: (flags & MATTERS) !== 0})),
        threads: data.threads.map(([name, fn, title, created, flags]) =>
            ({name, function: fn, title, created: decodePlace(created, words), matters: (flags & MATTERS) !== 0})),
        steps: data.steps.map(([thread, num, at, source, stop, calls, flags, acts]) => ({
            thread, number: num, at: decodePlace(at, words), source: words[source], stop: words[stop],
            calls: words[calls],
            fails: (flags & FAILS) !== 0,
            acts: acts.map(([text, object, from, after, bits]) => ({
                text, object: words[object], from, after, shown: (bits & SHOWN) !== 0, choice: (bits & CHOICE) !== 0,
                fails: (bits & FAILS) !== 0,
            })),
        })),
        parties: data.parties.map(([role, thread, at, text]) => ({role, thread, at: decodePlace(at, words), text})),
        waits: data.waits.map(([role, thread, other, object, how, at]) => ({role, thread, other, object, how, at: decodePlace(at, words)})),
    };
}

function decodeSession(data) {
    const words = data.words;
    return {
        ...data,
        findings: data.findings.map(decodeFinding),
        sides: data.sides.map(([file, fn, line, column, side, nSides, taken]) =>
            ({file: words[file], function: words[fn], line, column, side, n_sides: nSides, taken: taken === 1})),
        samples: data.samples.map(([ms, runs, events, targets, findings, sides, queries, pairs]) =>
            ({ms, runs, events, targets, findings, sides_taken: sides, queries, pairs})),
    };
}
