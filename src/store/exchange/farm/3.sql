-- SPDX-License-Identifier: Apache-2.0
-- Migration 3: parts that a leader can do again, and what the whole of a campaign is.

-- The payload that a campaign began with; '' if it is older than this migration.
ALTER TABLE treadle.campaign ADD COLUMN whole bytea NOT NULL DEFAULT '';

-- Some of the items that a worker did, with what it said they gave: each of them was as likely to be
-- kept as any other, and no worker can know which ones were.
CREATE TABLE treadle.sample (
    campaign bigint NOT NULL,
    generation integer NOT NULL,
    worker bigint NOT NULL,
    slot smallint NOT NULL,
    item bigint NOT NULL,
    payload bytea NOT NULL,
    events bigint NOT NULL,
    traces bigint NOT NULL,
    whole_traces bigint NOT NULL,
    digest numeric(39) NOT NULL,
    trace_digest numeric(39) NOT NULL,
    PRIMARY KEY (campaign, generation, worker, slot)
);
ALTER TABLE treadle.sample ALTER payload SET STORAGE EXTERNAL;

-- Functions whose arguments or results are others now.
DROP FUNCTION IF EXISTS treadle.add_part(bigint, integer, bigint, bigint[], numeric[], boolean);
DROP FUNCTION IF EXISTS treadle.workers_after(bigint, bigint);
DROP FUNCTION IF EXISTS treadle.campaign_total(bigint);

-- What version 1 took and nobody can read: a campaign with such a part is not complete.
UPDATE treadle.part SET n = greatest(n, 0), events = 0, traces = 0, whole_traces = 0, digest = 0,
    trace_digest = 0, known = 0, n_incomplete = 1
WHERE 0 > ANY (ARRAY[n, events, traces, whole_traces, known, n_incomplete])
    OR digest < 0 OR digest >= 340282366920938463463374607431768211456
    OR trace_digest < 0 OR trace_digest >= 340282366920938463463374607431768211456;
UPDATE treadle.worker SET runs = 0, events_met = 0, targets = 0, blocked_runs = 0, lost_runs = 0,
    cpu_ms = 0, rss_kb = 0
WHERE 0 > ANY (ARRAY[runs, events_met, targets, blocked_runs, lost_runs, cpu_ms, rss_kb])
    OR 1099511627776 < ANY (ARRAY[runs, events_met, targets, blocked_runs, lost_runs, cpu_ms, rss_kb]);
UPDATE treadle.news SET line = 0 WHERE line NOT BETWEEN 0 AND 4294967295;
