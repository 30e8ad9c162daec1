-- SPDX-License-Identifier: Apache-2.0
-- Migration 1: all of a farm. Runs in one transaction, as a role that may create schemas and roles.
--
-- Who works on what is in the same tables as in session.db (schema.c); store/exchange.h has the
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

-- ---- what the commands are made of ----

CREATE FUNCTION treadle.check_payload(payload bytea) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog AS $$
BEGIN
    IF payload IS NULL OR octet_length(payload) > 1048576 THEN
        RAISE EXCEPTION 'an item has more than 1048576 bytes, or none';
    END IF;
END $$;

-- A number for a lease that none has had, also where the server went back to an older state.
CREATE FUNCTION treadle.token() RETURNS bigint
LANGUAGE sql VOLATILE AS $$
    SELECT (pg_catalog.random() * 4503599627370496)::bigint | 1
$$;

-- Leases that end while the server is away do not count as ended at once.
CREATE FUNCTION treadle.is_ended(lease_end timestamptz, lease_ms integer) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT lease_end < pg_catalog.now() AND
        pg_catalog.now() > pg_catalog.pg_postmaster_start_time() + lease_ms * interval '1 ms'
$$;

-- Findings are numbered under a lock of the campaign: who reads those after n misses none.
-- fields: 8 of each, in the order of the columns, without the line.
CREATE FUNCTION treadle.add_news(of bigint, by bigint, fields bytea[], lines bigint[]) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog AS $$
DECLARE
    f bytea[];
BEGIN
    IF cardinality(fields) <> 8 * cardinality(lines) OR cardinality(lines) > 100000 THEN
        RAISE EXCEPTION 'findings with missing fields, or too many';
    END IF;
    FOR i IN 1 .. cardinality(lines) LOOP
        f := fields[8 * i - 7 : 8 * i];
        CONTINUE WHEN EXISTS (SELECT 1 FROM treadle.news WHERE campaign = of AND id = f[1]);
        IF (SELECT max(octet_length(t)) FROM unnest(f) AS t) > 16777216 THEN
            RAISE EXCEPTION 'a text of a finding has more than 16777216 bytes';
        END IF;
        PERFORM 1 FROM treadle.campaign WHERE id = of FOR NO KEY UPDATE;
        INSERT INTO treadle.news (campaign, n, worker, at, id, kind, file, line, function, message,
            recording, page, text)
        SELECT of, coalesce(max(n), 0) + 1, by, clock_timestamp(), f[1], f[2], f[3], lines[i], f[4],
            f[5], f[6], f[7], f[8]
        FROM treadle.news WHERE campaign = of
        ON CONFLICT DO NOTHING;
    END LOOP;
END $$;

-- True: this is the worker's newest call, and it may be given items. What was leased in answers that
-- it has not seen is given back.
CREATE FUNCTION treadle.set_worker(of bigint, self bigint, numbers bigint[], texts bytea[], lease integer,
    calls bigint, seen bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog AS $$
DECLARE
    newest bigint;
BEGIN
    SELECT last_call INTO newest FROM treadle.worker WHERE id = self AND campaign = of FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the campaign has no worker %', self;
    END IF;
    UPDATE treadle.worker SET heard = clock_timestamp(), lease_ms = lease, is_gone = false,
        last_call = greatest(newest, calls) WHERE id = self;
    IF calls > newest AND newest > seen THEN
        UPDATE treadle.item i SET state = 0, attempts = greatest(i.attempts - 1, 0), token = 0
        WHERE i.campaign = of AND i.state = 1 AND i.worker = self AND i.call > seen;
    END IF;
    IF cardinality(numbers) = 7 THEN
        UPDATE treadle.worker SET runs = numbers[1], events_met = numbers[2], targets = numbers[3],
            blocked_runs = numbers[4], lost_runs = numbers[5], cpu_ms = numbers[6],
            rss_kb = numbers[7], name = coalesce(texts[1], name),
            ledger = coalesce(texts[2], ledger), coverage = coalesce(texts[3], coverage)
        WHERE id = self;
    END IF;
    RETURN calls > newest;
END $$;

CREATE FUNCTION treadle.add_part(of bigint, gen integer, self bigint, counts bigint[], digests numeric[],
    whole boolean) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog AS $$
BEGIN
    IF cardinality(counts) <> 4 OR cardinality(digests) <> 2 OR 0 > ANY (counts) OR 0 > ANY (digests) THEN
        RAISE EXCEPTION 'a part of the campaign is not well-formed';
    END IF;
    INSERT INTO treadle.part AS p VALUES (of, gen, self, 1, counts[1], counts[2], counts[3],
        digests[1], digests[2], counts[4], CASE WHEN whole THEN 0 ELSE 1 END)
    ON CONFLICT (campaign, generation, worker) DO UPDATE SET n = p.n + 1,
        events = p.events + excluded.events, traces = p.traces + excluded.traces,
        whole_traces = p.whole_traces + excluded.whole_traces, known = p.known + excluded.known,
        digest = (p.digest + excluded.digest) % 340282366920938463463374607431768211456,
        trace_digest = (p.trace_digest + excluded.trace_digest)
            % 340282366920938463463374607431768211456,
        n_incomplete = p.n_incomplete + excluded.n_incomplete;
END $$;

-- Counts are as old as a quarter of a millisecond for each worker, 10 ms at least and a quarter of a
-- second at most, so that taking them costs the same share of the server however many there are.
CREATE FUNCTION treadle.beat(of bigint, gen integer) RETURNS treadle.pulse
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog AS $$
DECLARE
    p treadle.pulse;
    n_leased bigint;
    n_ended bigint;
BEGIN
    SELECT * INTO p FROM treadle.pulse WHERE campaign = of;
    IF clock_timestamp() < p.at + greatest(40, least(p.n_workers, 1000)) * interval '0.25 ms' THEN
        RETURN p;
    END IF;
    PERFORM 1 FROM treadle.pulse WHERE campaign = of FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN p;
    END IF;
    p.at := clock_timestamp();
    SELECT count(*) INTO p.n_ready FROM treadle.item
    WHERE campaign = of AND generation = gen AND state = 0;
    SELECT count(*), count(*) FILTER (WHERE treadle.is_ended(lease_end, lease_ms))
    INTO n_leased, n_ended FROM treadle.item WHERE campaign = of AND generation = gen AND state = 1;
    p.n_left := p.n_ready + n_leased;
    p.n_ready := p.n_ready + n_ended;
    SELECT count(*) FILTER (WHERE w.is_here),
        count(*) FILTER (WHERE w.is_here AND NOT EXISTS (SELECT 1 FROM treadle.item i
            WHERE i.worker = w.id AND i.state = 1 AND i.lease_end >= p.at)),
        coalesce(sum(w.targets) FILTER (WHERE w.is_here), 0), coalesce(sum(w.runs), 0)
    INTO p.n_workers, p.n_hungry, p.n_targets, p.n_runs
    FROM (SELECT id, targets, runs,
            NOT is_gone AND heard + lease_ms * interval '1 ms' > p.at AS is_here
        FROM treadle.worker WHERE campaign = of) w;
    UPDATE treadle.pulse SET at = p.at, n_ready = p.n_ready, n_left = p.n_left,
        n_workers = p.n_workers, n_hungry = p.n_hungry, n_runs = p.n_runs,
        n_targets = p.n_targets WHERE campaign = of;
    RETURN p;
END $$;

-- The items become the worker's for a while, one attempt more.
CREATE FUNCTION treadle.lease(ids bigint[], self bigint, ms integer, its_call bigint)
RETURNS TABLE (item bigint, token bigint, attempts integer, payload bytea)
LANGUAGE sql VOLATILE SET search_path = pg_catalog AS $$
    UPDATE treadle.item i SET state = 1, attempts = i.attempts + 1, token = treadle.token(),
        worker = self, lease_end = clock_timestamp() + ms * interval '1 ms', lease_ms = ms,
        call = its_call
    WHERE i.id = ANY (ids) RETURNING i.id, i.token, i.attempts, i.payload
$$;

-- ---- the command ----

-- One row for each item that was leased, the kept one first, and one without an item at the end
-- that has all the rest. See sto_report and sto_reply in store/exchange.h.
CREATE FUNCTION treadle.exchange(
    p_campaign bigint, p_worker bigint, p_generation integer, p_item bigint, p_token bigint,
    p_is_done boolean, p_counts bigint[], p_digests numeric[], p_is_complete boolean,
    p_children bytea[], p_keeps_first boolean, p_news bytea[], p_lines bigint[],
    p_state bigint[], p_texts bytea[], p_want integer, p_lease_ms integer, p_seen bigint,
    p_call bigint)
RETURNS TABLE (item bigint, token bigint, attempts bigint, payload bytea, is_stale boolean,
    generation bigint, is_stopped boolean, n_ready bigint, n_left bigint, n_workers bigint,
    n_hungry bigint, n_runs bigint, n_targets bigint, n_findings bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    gen integer;
    leases boolean;
    deep integer;
    stale boolean := false;
    lease interval := p_lease_ms * interval '1 ms';
    taken bigint[];
    p treadle.pulse;
    some_left boolean;
BEGIN
    IF p_want NOT BETWEEN 0 AND 4096 OR p_lease_ms NOT BETWEEN 1 AND 604800000
        OR cardinality(p_children) > 100000 THEN
        RAISE EXCEPTION 'a report asks for too much';
    END IF;
    leases := treadle.set_worker(p_campaign, p_worker, p_state, p_texts, p_lease_ms, p_call, p_seen);
    PERFORM treadle.add_news(p_campaign, p_worker, p_news, p_lines);
    SELECT c.generation, leases AND NOT c.is_stopped INTO gen, leases
    FROM treadle.campaign c WHERE c.id = p_campaign;

    IF p_item <> 0 AND NOT p_is_done AND cardinality(p_children) = 0 THEN
        UPDATE treadle.item i SET lease_end = clock_timestamp() + lease, lease_ms = p_lease_ms
        WHERE i.id = p_item AND i.campaign = p_campaign AND i.generation = gen
            AND p_generation = gen AND i.state = 1 AND i.token = p_token;
        stale := NOT FOUND;
    ELSIF p_item <> 0 THEN
        DELETE FROM treadle.item i
        WHERE i.id = p_item AND i.campaign = p_campaign AND i.generation = gen
            AND p_generation = gen AND i.state = 1 AND i.token = p_token
        RETURNING i.depth INTO deep;
        stale := NOT FOUND;
        IF NOT stale THEN
            IF p_is_done THEN
                PERFORM treadle.add_part(p_campaign, gen, p_worker, p_counts, p_digests, p_is_complete);
            END IF;
            FOR i IN 1 .. cardinality(p_children) LOOP
                PERFORM treadle.check_payload(p_children[i]);
                INSERT INTO treadle.item (campaign, generation, depth, payload, worker)
                VALUES (p_campaign, gen, deep + 1, p_children[i], p_worker) RETURNING id INTO item;
                IF i = 1 AND p_keeps_first AND leases THEN
                    SELECT l.token, l.attempts, l.payload INTO token, attempts, payload
                    FROM treadle.lease(ARRAY[item], p_worker, p_lease_ms, p_call) l;
                    RETURN NEXT;
                END IF;
            END LOOP;
        END IF;
    END IF;

    WITH c AS MATERIALIZED (
        SELECT i.id FROM treadle.item i
        WHERE i.campaign = p_campaign AND i.generation = gen AND i.state = 1
            AND i.lease_end < now() AND i.attempts >= 3
            AND treadle.is_ended(i.lease_end, i.lease_ms)
        FOR UPDATE SKIP LOCKED)
    UPDATE treadle.item i SET state = 2, token = 0 FROM c WHERE i.id = c.id;
    -- Leases that ended; what the worker made itself, as it knows much of that, the newest first; then
    -- the oldest of others.
    IF leases AND p_want > 0 THEN
        taken := ARRAY(SELECT i.id FROM treadle.item i
            WHERE i.campaign = p_campaign AND i.generation = gen AND i.state = 1
                AND i.lease_end < now() AND i.attempts < 3
                AND treadle.is_ended(i.lease_end, i.lease_ms)
            ORDER BY i.depth, i.id LIMIT p_want FOR UPDATE SKIP LOCKED);
        taken := taken || ARRAY(SELECT i.id FROM treadle.item i
            WHERE i.campaign = p_campaign AND i.generation = gen AND i.state = 0
                AND i.worker = p_worker
            ORDER BY i.id DESC LIMIT p_want - cardinality(taken) FOR UPDATE SKIP LOCKED);
        taken := taken || ARRAY(SELECT i.id FROM treadle.item i
            WHERE i.campaign = p_campaign AND i.generation = gen AND i.state = 0
                AND i.worker <> p_worker
            ORDER BY i.depth, i.id LIMIT p_want - cardinality(taken) FOR UPDATE SKIP LOCKED);
        FOR item, token, attempts, payload IN
            SELECT * FROM treadle.lease(taken, p_worker, p_lease_ms, p_call)
        LOOP
            RETURN NEXT;
        END LOOP;
    END IF;

    item := NULL; token := NULL; attempts := NULL; payload := NULL;
    is_stale := stale;
    p := treadle.beat(p_campaign, gen);
    n_ready := p.n_ready; n_workers := p.n_workers; n_hungry := p.n_hungry;
    n_runs := p.n_runs; n_targets := p.n_targets;
    -- One statement, so of one moment: else it could seem that nothing is left of a generation that
    -- has just ended.
    SELECT c.generation, c.is_stopped,
        EXISTS (SELECT 1 FROM treadle.item i
            WHERE i.campaign = c.id AND i.generation = c.generation AND i.state = 0)
        OR EXISTS (SELECT 1 FROM treadle.item i
            WHERE i.campaign = c.id AND i.generation = c.generation AND i.state = 1),
        coalesce((SELECT max(f.n) FROM treadle.news f WHERE f.campaign = c.id), 0)
    INTO generation, is_stopped, some_left, n_findings FROM treadle.campaign c WHERE c.id = p_campaign;
    n_left := CASE WHEN some_left THEN greatest(p.n_left, 1) ELSE 0 END;
    RETURN NEXT;
END $$;

-- ---- what a starter does ----

CREATE FUNCTION treadle.campaign_begin(texts bytea[], whole bytea) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
    of bigint;
BEGIN
    IF cardinality(texts) <> 5 OR (SELECT max(octet_length(t)) FROM unnest(texts) AS t) > 16777216 THEN
        RAISE EXCEPTION 'a campaign has five texts of at most 16777216 bytes';
    END IF;
    PERFORM treadle.check_payload(whole);
    PERFORM set_config('synchronous_commit', 'on', true);
    INSERT INTO treadle.campaign (version, protocol, build_id, command, options)
    VALUES (texts[1], texts[2], texts[3], texts[4], texts[5]) RETURNING id INTO of;
    INSERT INTO treadle.pulse (campaign) VALUES (of);
    INSERT INTO treadle.item (campaign, generation, depth, payload) VALUES (of, 0, 0, whole);
    RETURN of;
END $$;

-- For the owner: a campaign that nobody needs any more.
CREATE FUNCTION treadle.campaign_forget(of bigint) RETURNS void
LANGUAGE sql VOLATILE SET search_path = pg_catalog AS $$
    DELETE FROM treadle.item WHERE campaign = of;
    DELETE FROM treadle.part WHERE campaign = of;
    DELETE FROM treadle.news WHERE campaign = of;
    DELETE FROM treadle.worker WHERE campaign = of;
    DELETE FROM treadle.pulse WHERE campaign = of;
    DELETE FROM treadle.campaign WHERE id = of;
$$;

CREATE FUNCTION treadle.campaign_stop(of bigint) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
    UPDATE treadle.campaign SET is_stopped = true WHERE id = of
$$;

CREATE FUNCTION treadle.leases_clear(of bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
    UPDATE treadle.campaign SET is_stopped = false WHERE id = of;
    UPDATE treadle.item SET attempts = CASE state WHEN 2 THEN 0 ELSE greatest(attempts - 1, 0) END,
        state = 0, token = 0, worker = 0
    WHERE campaign = of AND (state = 1 OR state = 2);
END $$;

-- ---- what a worker does beside exchange ----

CREATE FUNCTION treadle.campaign_again(of bigint, was integer, whole bytea, promotes bytea) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
    PERFORM treadle.check_payload(whole);
    PERFORM treadle.check_payload(promotes);
    UPDATE treadle.campaign SET generation = was + 1, promoted = promotes
    WHERE id = of AND generation = was;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    DELETE FROM treadle.item WHERE campaign = of AND generation <= was;
    DELETE FROM treadle.part WHERE campaign = of AND generation <= was;
    INSERT INTO treadle.item (campaign, generation, depth, payload) VALUES (of, was + 1, 0, whole);
END $$;

CREATE FUNCTION treadle.worker_join(of bigint, called bytea) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
    SELECT set_config('synchronous_commit', 'on', true);
    INSERT INTO treadle.worker (campaign, name, joined, heard)
    VALUES (of, substring(called FROM 1 FOR 1024), clock_timestamp(), clock_timestamp()) RETURNING id
$$;

CREATE FUNCTION treadle.worker_gone(of bigint, who bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
    UPDATE treadle.worker SET is_gone = true WHERE id = who AND campaign = of;
    UPDATE treadle.item SET state = CASE WHEN attempts >= 3 THEN 2 ELSE 0 END, token = 0
    WHERE campaign = of AND state = 1 AND worker = who;
END $$;

-- ---- what is read ----

CREATE FUNCTION treadle.campaign_find(of bigint)
RETURNS TABLE (id bigint, version bytea, protocol bytea, build_id bytea, command bytea, options bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
    SELECT c.id, c.version, c.protocol, c.build_id, c.command, c.options FROM treadle.campaign c
    WHERE c.id = of OR of = 0 ORDER BY c.id DESC LIMIT 1
$$;

CREATE FUNCTION treadle.campaign_promoted(of bigint) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
    SELECT promoted FROM treadle.campaign WHERE id = of
$$;

CREATE FUNCTION treadle.peek(of bigint)
RETURNS TABLE (generation bigint, is_stopped boolean, n_ready bigint, n_left bigint, n_workers bigint,
    n_hungry bigint, n_runs bigint, n_targets bigint, n_findings bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
#variable_conflict use_column
DECLARE
    p treadle.pulse;
    some_left boolean;
BEGIN
    SELECT c.generation, c.is_stopped,
        EXISTS (SELECT 1 FROM treadle.item i
            WHERE i.campaign = c.id AND i.generation = c.generation AND i.state = 0)
        OR EXISTS (SELECT 1 FROM treadle.item i
            WHERE i.campaign = c.id AND i.generation = c.generation AND i.state = 1),
        coalesce((SELECT max(f.n) FROM treadle.news f WHERE f.campaign = c.id), 0)
    INTO generation, is_stopped, some_left, n_findings FROM treadle.campaign c WHERE c.id = of;
    p := treadle.beat(of, generation::integer);
    n_ready := p.n_ready; n_workers := p.n_workers; n_hungry := p.n_hungry;
    n_runs := p.n_runs; n_targets := p.n_targets;
    n_left := CASE WHEN some_left THEN greatest(p.n_left, 1) ELSE 0 END;
    RETURN NEXT;
END $$;

CREATE FUNCTION treadle.campaign_total(of bigint)
RETURNS TABLE (n bigint, events bigint, traces bigint, whole_traces bigint, digest text,
    trace_digest text, known bigint, n_incomplete bigint, n_items bigint, n_parked bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
    SELECT coalesce(sum(p.n), 0)::bigint, coalesce(sum(p.events), 0)::bigint,
        coalesce(sum(p.traces), 0)::bigint, coalesce(sum(p.whole_traces), 0)::bigint,
        (coalesce(sum(p.digest), 0) % 340282366920938463463374607431768211456)::text,
        (coalesce(sum(p.trace_digest), 0) % 340282366920938463463374607431768211456)::text,
        coalesce(sum(p.known), 0)::bigint, coalesce(sum(p.n_incomplete), 0)::bigint,
        (SELECT count(*) FROM treadle.item i
            WHERE i.campaign = c.id AND i.generation = c.generation AND i.state < 2),
        (SELECT count(*) FROM treadle.item i
            WHERE i.campaign = c.id AND i.generation = c.generation AND i.state = 2)
    FROM treadle.campaign c
    LEFT JOIN treadle.part p ON p.campaign = c.id AND p.generation = c.generation
    WHERE c.id = of GROUP BY c.id
$$;

-- At most 32 at a time.
CREATE FUNCTION treadle.news_after(of bigint, after bigint)
RETURNS TABLE (id bytea, kind bytea, file bytea, line bigint, function bytea, message bytea,
    recording bytea, page bytea, text bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
    SELECT f.id, f.kind, f.file, f.line, f.function, f.message, f.recording, f.page, f.text
    FROM treadle.news f WHERE f.campaign = of AND f.n > after ORDER BY f.n LIMIT 32
$$;

-- At most 256 at a time.
CREATE FUNCTION treadle.workers_after(of bigint, after bigint)
RETURNS TABLE (id bigint, name bytea, runs bigint, events_met bigint, targets bigint,
    blocked_runs bigint, lost_runs bigint, cpu_ms bigint, rss_kb bigint, ledger bytea,
    coverage bytea, silent_ms bigint, is_gone boolean, n_items bigint, lived_ms bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
    SELECT w.id, w.name, w.runs, w.events_met, w.targets, w.blocked_runs, w.lost_runs, w.cpu_ms,
        w.rss_kb, w.ledger, w.coverage,
        greatest(0, extract(epoch FROM clock_timestamp() - w.heard) * 1000)::bigint, w.is_gone,
        (SELECT count(*) FROM treadle.item i WHERE i.worker = w.id AND i.state = 1),
        greatest(0, extract(epoch FROM w.heard - w.joined) * 1000)::bigint
    FROM treadle.worker w WHERE w.campaign = of AND w.id > after ORDER BY w.id LIMIT 256
$$;

CREATE FUNCTION treadle.version() RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
    SELECT coalesce(max(number), 0)::bigint FROM treadle.migration
$$;

-- ---- for people ----

-- Bytes that are no text are shown with \nnn.
CREATE FUNCTION treadle.readable(bytes bytea) RETURNS text
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog AS $$
BEGIN
    RETURN convert_from(bytes, 'UTF8');
EXCEPTION WHEN OTHERS THEN
    RETURN encode(bytes, 'escape');
END $$;

CREATE VIEW treadle.campaigns AS
SELECT id, treadle.readable(command) AS command, treadle.readable(version) AS version,
    treadle.readable(build_id) AS build_id, treadle.readable(options) AS options, begun, starter,
    generation, is_stopped,
    NOT EXISTS (SELECT 1 FROM treadle.item i WHERE i.campaign = c.id
        AND i.generation = c.generation AND i.state < 2) AS is_done
FROM treadle.campaign c;

CREATE VIEW treadle.progress AS
SELECT c.id AS campaign, i.ready, i.leased, i.parked, p.parts, p.events, p.traces, w.runs, f.findings
FROM treadle.campaign c
CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE state = 0) AS ready,
    count(*) FILTER (WHERE state = 1) AS leased, count(*) FILTER (WHERE state = 2) AS parked
    FROM treadle.item WHERE campaign = c.id AND generation = c.generation) i
CROSS JOIN LATERAL (SELECT coalesce(sum(n), 0) AS parts, coalesce(sum(events), 0) AS events,
    coalesce(sum(traces), 0) AS traces
    FROM treadle.part WHERE campaign = c.id AND generation = c.generation) p
CROSS JOIN LATERAL (SELECT coalesce(sum(runs), 0) AS runs FROM treadle.worker
    WHERE campaign = c.id) w
CROSS JOIN LATERAL (SELECT count(*) AS findings FROM treadle.news WHERE campaign = c.id) f;

CREATE VIEW treadle.workers AS
SELECT w.campaign, w.id AS worker, w.role, treadle.readable(w.name) AS name, w.heard,
    round(extract(epoch FROM clock_timestamp() - w.heard)) AS silent_s, w.is_gone,
    (SELECT count(*) FROM treadle.item i WHERE i.worker = w.id AND i.state = 1) AS items,
    w.runs, w.blocked_runs, w.lost_runs, w.events_met, w.cpu_ms, w.rss_kb,
    round(w.runs / nullif(extract(epoch FROM w.heard - w.joined), 0), 1) AS runs_per_s
FROM treadle.worker w;

CREATE VIEW treadle.findings AS
SELECT f.campaign, f.n, treadle.readable(f.id) AS id, treadle.readable(f.kind) AS kind,
    treadle.readable(f.file) || ':' || f.line AS place, treadle.readable(f.function) AS function,
    treadle.readable(f.message) AS message, f.at AS found, treadle.readable(w.name) AS worker
FROM treadle.news f LEFT JOIN treadle.worker w ON w.id = f.worker;

CREATE VIEW treadle.rediscovery AS
SELECT p.campaign, sum(p.events) AS events, sum(p.known) AS known,
    round(sum(p.known) / nullif(sum(p.events), 0), 3) AS ratio
FROM treadle.part p JOIN treadle.campaign c ON c.id = p.campaign AND c.generation = p.generation
GROUP BY p.campaign;

-- ---- who may do what ----

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

REVOKE ALL ON ALL TABLES IN SCHEMA treadle FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA treadle FROM PUBLIC;
GRANT USAGE ON SCHEMA treadle TO treadle_worker, treadle_starter, treadle_reader;
GRANT EXECUTE ON FUNCTION treadle.exchange, treadle.campaign_again, treadle.worker_join,
    treadle.worker_gone, treadle.campaign_find, treadle.campaign_promoted, treadle.peek,
    treadle.campaign_total, treadle.news_after, treadle.workers_after, treadle.version
    TO treadle_worker, treadle_starter;
GRANT EXECUTE ON FUNCTION treadle.campaign_begin, treadle.campaign_stop, treadle.leases_clear
    TO treadle_starter;
GRANT SELECT ON treadle.campaigns, treadle.progress, treadle.workers, treadle.findings,
    treadle.rediscovery TO treadle_reader;
GRANT EXECUTE ON FUNCTION treadle.readable, treadle.campaign_find, treadle.peek, treadle.campaign_total,
    treadle.workers_after, treadle.version TO treadle_reader;
