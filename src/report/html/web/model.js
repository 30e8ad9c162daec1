/* SPDX-License-Identifier: Apache-2.0 */
/* A page of a finding as the pictures need it: acts in one array, and the acts that are visible
 * with the reader's settings. docs/formats.md has the fields of a page. */

/* How the text of an act names the thread that it waits for in vain. */
const WAITS = /\bWAITS for (\S+)/;

class Model {
    constructor(page) {
        this.page = page;
        this.threads = page.threads;
        this.steps = page.steps;
        this.acts = [];
        page.steps.forEach((step, s) => {
            step.index = s;
            step.first = this.acts.length;
            for (const act of step.acts) {
                act.index = this.acts.length;
                act.step = s;
                this.acts.push(act);
            }
        });
        this.readers = new Map();
        for (const act of this.acts)
            if (act.from >= 0)
                addTo(this.readers, act.from, act.index);
        this.stuck = page.kind === 'deadlock';
        if (this.stuck)
            this.markStuck();
        this.failing = this.findFailing();
    }

    /* At a deadlock it is not the last act alone that fails: all who wait at the end do. */
    markStuck() {
        const last = new Map(this.acts.map(a => [this.threadOf(a.index), a]));
        for (const act of last.values())
            if (WAITS.test(act.text)) {
                act.fails = true;
                this.steps[act.step].fails = true;
            }
    }

    /* The last step that fails; of a race, which fails nowhere, the second access. */
    findFailing() {
        const last = fits => {
            let s = this.steps.length - 1;
            while (s >= 0 && !fits(this.steps[s]))
                s--;
            return s;
        };
        const fails = last(s => s.fails), shown = last(s => s.number > 0);
        return fails >= 0 ? fails : shown >= 0 ? shown : this.steps.length - 1;
    }

    threadOf(actIndex) {
        return this.steps[this.acts[actIndex].step].thread;
    }

    threadName(t) {
        return this.threads[t] ? this.threads[t].name : 'no thread';
    }

    /* How a step is called in a sentence. */
    stepName(s) {
        const step = this.steps[s];
        const what = step.number > 0 ? '#' + step.number : placeText(step.at);
        return what + ' ' + this.threadName(step.thread);
    }

    /* The acts of a step that are seen, or null if the step is not. */
    visibleActs(step, choice) {
        const keep = step.fails && step.index === this.failing;
        if (choice.thread >= 0 && step.thread !== choice.thread && !keep)
            return null;
        let acts = choice.everything ? step.acts : step.acts.filter(a => a.shown || a.fails);
        if (choice.object !== '')
            acts = acts.filter(a => a.object === choice.object || a.fails);
        if (acts.length > 0 || keep)
            return acts;
        const bare = choice.object === '' && (choice.everything || step.number > 0);
        return bare ? acts : null;
    }

    /* Rows from the top: steps, and between steps of two threads the reason for the switch. */
    rows(choice) {
        const rows = [];
        let last = -1;
        for (const step of this.steps) {
            const acts = this.visibleActs(step, choice);
            if (acts === null)
                continue;
            const turn = last < 0 ? null : this.turn(last, step.index);
            if (turn)
                rows.push(turn);
            rows.push({type: 'step', step, acts});
            last = step.index;
        }
        return rows;
    }

    /* What happened between two steps that follow each other in the picture. A preemption is
     * never lost, however many steps are hidden. */
    turn(a, b) {
        const from = this.steps[a].thread, to = this.steps[b].thread;
        let why = '', who = from, start = a + 1;
        for (let s = a + 1; s <= b; s++) {
            const stop = this.steps[s].stop;
            if (stop === 'preempted' || (why === '' && this.steps[s].thread !== this.steps[s - 1].thread)) {
                why = stop || 'switch';
                who = this.steps[s - 1].thread;
                start = s;
            }
            if (stop === 'preempted')
                break;
        }
        if (from === to && why !== 'preempted')
            return null;
        /* Who ran in between, though no step of it is seen. */
        const unseen = new Set(this.steps.slice(start, b).map(s => s.thread));
        unseen.delete(to);
        if (from !== to)
            unseen.delete(who);
        return {type: 'turn', from, to, who, why, unseen: [...unseen].filter(t => t !== who), hidden: b - a - 1};
    }

    countVisible(choice) {
        return this.steps.reduce((n, s) => n + (this.visibleActs(s, choice) ? 1 : 0), 0);
    }

    /* Names of objects with the number of acts on each, the most used first. */
    objects() {
        const uses = new Map();
        for (const act of this.acts)
            if (act.object !== '')
                uses.set(act.object, (uses.get(act.object) || 0) + (act.shown ? 1000 : 1));
        return [...uses.keys()].sort((x, y) => uses.get(y) - uses.get(x) || (x < y ? -1 : 1));
    }
}

function turnText(model, turn) {
    const who = model.threadName(turn.who), to = model.threadName(turn.to);
    const unseen = turn.unseen.map(t => model.threadName(t)).join(', ');
    const goes = (unseen ? '; ' + unseen + (turn.unseen.length > 1 ? ' run' : ' runs') + ', hidden' : '') +
        (turn.to === turn.who ? (unseen ? '; ' + to + ' resumes' : '') : '; ' + to + ' runs');
    switch (turn.why) {
    case 'preempted': return who + ' preempted' + goes;
    case 'ended': return who + ' exits' + goes;
    case 'waits': return who + ' waits' + goes;
    default: return to + ' runs';
    }
}
