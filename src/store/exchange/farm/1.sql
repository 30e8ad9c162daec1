-- SPDX-License-Identifier: Apache-2.0
-- Migration 1: tables and roles. Runs in one transaction, as a role that may create schemas and roles.
-- Migrations change tables; functions, views and rights are in functions.sql.
--
-- Who works on what is in the same tables as in session.db (schema.c); store/exchange/exchange.h has the
-- rules. What is different, because commands run side by side here:
--   An item carries its generation. A report that began in the one before leaves rows that nobody
--   looks at any more, so no lock is needed between it and campaign_again.
--   Commands lock rows in one order: worker, campaign, item, part. Items of others are only taken
--   with SKIP LOCKED.
--   No row refers to another by a foreign key: each new item would lock the campaign's row.
--   Counts of all items and workers are taken for everybody, in treadle.pulse.
-- A server may forget the last moments (synchronous_commit = off): then they are done again. But
-- that a campaign or a worker is there is never forgotten.
-- What programs and workers say is bytes, never trusted to be text.

CREATE TABLE treadle.campaign (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    version bytea NOT NULL,
    protocol bytea NOT NULL,
    build_id bytea NOT NULL,
    command bytea NOT NULL,
    options bytea NOT NULL,
    begun timestamptz NOT NULL DEFAULT now(),
    starter name NOT NULL DEFAULT session_user,
    generation integer NOT NULL DEFAULT 0,
    promoted bytea NOT NULL DEFAULT '',
    is_stopped boolean NOT NULL DEFAULT false
);

-- state: 0 ready, 1 leased, 2 parked. worker: who has it, or who made it.
CREATE TABLE treadle.item (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign bigint NOT NULL,
    generation integer NOT NULL,
    depth integer NOT NULL,
    payload bytea NOT NULL,
    state smallint NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    token bigint NOT NULL DEFAULT 0,
    worker bigint NOT NULL DEFAULT 0,
    call bigint NOT NULL DEFAULT 0,
    lease_end timestamptz NOT NULL DEFAULT '-infinity',
    lease_ms integer NOT NULL DEFAULT 0
) WITH (fillfactor = 70, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0.05,
    autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_threshold = 200);
ALTER TABLE treadle.item ALTER payload SET STORAGE EXTERNAL;
CREATE INDEX item_ready ON treadle.item (campaign, generation, depth, id) WHERE state = 0;
CREATE INDEX item_own ON treadle.item (worker, id) WHERE state = 0;
CREATE INDEX item_leased ON treadle.item (campaign, generation, lease_end) WHERE state = 1;
CREATE INDEX item_parked ON treadle.item (campaign, generation) WHERE state = 2;
CREATE INDEX item_worker ON treadle.item (worker) WHERE state = 1;

-- The sum of what one worker handed in; digests modulo 2^128.
CREATE TABLE treadle.part (
    campaign bigint NOT NULL,
    generation integer NOT NULL,
    worker bigint NOT NULL,
    n bigint NOT NULL,
    events bigint NOT NULL,
    traces bigint NOT NULL,
    whole_traces bigint NOT NULL,
    digest numeric(39) NOT NULL,
    trace_digest numeric(39) NOT NULL,
    known bigint NOT NULL,
    n_incomplete bigint NOT NULL,
    PRIMARY KEY (campaign, generation, worker)
) WITH (fillfactor = 50);

CREATE TABLE treadle.news (
    campaign bigint NOT NULL,
    n bigint NOT NULL,
    worker bigint NOT NULL,
    at timestamptz NOT NULL,
    id bytea NOT NULL,
    kind bytea NOT NULL,
    file bytea NOT NULL,
    line bigint NOT NULL,
    function bytea NOT NULL,
    message bytea NOT NULL,
    recording bytea NOT NULL,
    page bytea NOT NULL,
    text bytea NOT NULL,
    PRIMARY KEY (campaign, n),
    UNIQUE (campaign, id)
);

CREATE TABLE treadle.worker (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign bigint NOT NULL,
    role name NOT NULL DEFAULT session_user,
    name bytea NOT NULL,
    joined timestamptz NOT NULL,
    heard timestamptz NOT NULL,
    lease_ms integer NOT NULL DEFAULT 0,
    last_call bigint NOT NULL DEFAULT 0,
    is_gone boolean NOT NULL DEFAULT false,
    runs bigint NOT NULL DEFAULT 0,
    events_met bigint NOT NULL DEFAULT 0,
    targets bigint NOT NULL DEFAULT 0,
    blocked_runs bigint NOT NULL DEFAULT 0,
    lost_runs bigint NOT NULL DEFAULT 0,
    cpu_ms bigint NOT NULL DEFAULT 0,
    rss_kb bigint NOT NULL DEFAULT 0,
    ledger bytea NOT NULL DEFAULT '',
    coverage bytea NOT NULL DEFAULT ''
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0.05,
    autovacuum_vacuum_cost_delay = 0);
CREATE INDEX worker_of ON treadle.worker (campaign);

CREATE TABLE treadle.pulse (
    campaign bigint PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT '-infinity',
    n_ready bigint NOT NULL DEFAULT 0,
    n_left bigint NOT NULL DEFAULT 0,
    n_workers bigint NOT NULL DEFAULT 0,
    n_hungry bigint NOT NULL DEFAULT 0,
    n_runs bigint NOT NULL DEFAULT 0,
    n_targets bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0);

DO $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['treadle_worker', 'treadle_starter', 'treadle_reader'] LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = wanted) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
        END IF;
    END LOOP;
END $$;
