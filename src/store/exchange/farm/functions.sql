-- SPDX-License-Identifier: Apache-2.0
-- All functions and views of a farm, and who may use them. treadle farm init runs this each time, after
-- the migrations that are missing. Whoever changes something here adds a migration, if only an empty
-- one, as members look at its number.
--
-- What is handed in is checked here, so that no other member has to cope with it: numbers and sizes
-- have ranges, texts have no zero bytes, a worker belongs to its role, and a division of an item
-- leaves nothing out.

-- ---- what is checked ----

CREATE OR REPLACE FUNCTION treadle.check_payload(payload bytea) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF payload IS NULL OR octet_length(payload) > @STO_MAX_PAYLOAD@ THEN
        RAISE EXCEPTION 'an item has more than @STO_MAX_PAYLOAD@ bytes, or none';
    END IF;
END $$;

CREATE OR REPLACE FUNCTION treadle.check_texts(texts bytea[]) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM unnest(texts) AS t WHERE octet_length(t) > @STO_MAX_TEXT@) THEN
        RAISE EXCEPTION 'a text has more than @STO_MAX_TEXT@ bytes';
    END IF;
    IF EXISTS (SELECT 1 FROM unnest(texts) AS t WHERE position(decode('00', 'hex') IN t) > 0) THEN
        RAISE EXCEPTION 'a text has a zero byte';
    END IF;
END $$;

-- Sums of what is handed in stay below 2^63: 2^40 for each, 2^23 of them.
CREATE OR REPLACE FUNCTION treadle.check_numbers(numbers bigint[], most bigint) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF 0 > ANY (numbers) OR most < ANY (numbers) OR array_position(numbers, NULL) IS NOT NULL THEN
        RAISE EXCEPTION 'a number of a report is out of range';
    END IF;
END $$;

-- Below 2^128.
CREATE OR REPLACE FUNCTION treadle.check_digests(digests numeric[]) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    d numeric;
BEGIN
    FOREACH d IN ARRAY digests LOOP
        IF d IS NULL OR NOT (d >= 0 AND d < 340282366920938463463374607431768211456)
            OR d <> trunc(d) THEN
            RAISE EXCEPTION 'a digest of a report is out of range';
        END IF;
    END LOOP;
END $$;

-- The worker is one of the campaign, and of the role that reports: nobody hands in for others, but
-- for the owner.
CREATE OR REPLACE FUNCTION treadle.check_worker(of bigint, self bigint) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM treadle.worker w WHERE w.id = self AND w.campaign = of
            AND (w.role = session_user OR pg_has_role(session_user, current_user, 'MEMBER'))) THEN
        RAISE EXCEPTION 'the campaign has no worker % of the role %', self, session_user;
    END IF;
END $$;

-- An item of a search is a byte for the version, the number of its literals and the literals
-- (explore/core/item.c). What it falls into is twice the same with one literal more, which has an event
-- in one and lacks it in the other: then nothing is in both, and nothing in neither.
CREATE OR REPLACE FUNCTION treadle.check_division(item bytea, children bytea[]) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    n integer := get_byte(item, 1);
    head integer := 2;
    start bytea;
    len integer;
BEGIN
    IF n >= 128 THEN
        n := n - 128 + 128 * get_byte(item, 2);
        head := 3;
    END IF;
    n := n + 1;
    start := substring(item FROM 1 FOR 1)
        || CASE WHEN n < 128 THEN set_byte(decode('00', 'hex'), 0, n)
            ELSE set_byte(set_byte(decode('0000', 'hex'), 0, n % 128 + 128), 1, n / 128) END
        || substring(item FROM head + 1);
    len := octet_length(start);
    IF n > 256 OR cardinality(children) <> 2
        OR least(octet_length(children[1]), octet_length(children[2])) < len + 19
        OR substring(children[1] FROM 1 FOR len) <> start
        OR substring(children[2] FROM 1 FOR len) <> start
        OR get_byte(children[1], len) + get_byte(children[2], len) <> 1
        OR substring(children[1] FROM len + 2) <> substring(children[2] FROM len + 2) THEN
        RAISE EXCEPTION 'an item is not divided into two halves of it';
    END IF;
END $$;

-- What a child has more than the item that it is half of: one literal, if nothing is wrong. The leader reads
-- it, and trusts none of the checks above.
CREATE OR REPLACE FUNCTION treadle.literals(item bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN octet_length(item) < 2 OR get_byte(item, 0) <> 1 THEN item
        WHEN get_byte(item, 1) < 128 THEN substring(item FROM 3) ELSE substring(item FROM 4) END
$$;

CREATE OR REPLACE FUNCTION treadle.added_literal(item bytea, child bytea) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    all_of_item bytea := treadle.literals(item);
    all_of_child bytea := treadle.literals(child);
BEGIN
    IF substring(all_of_child FROM 1 FOR octet_length(all_of_item)) <> all_of_item THEN
        RETURN child;
    END IF;
    RETURN substring(all_of_child FROM octet_length(all_of_item) + 1);
END $$;

-- ---- what the commands are made of ----

-- A number for a lease that none has had, also where the server went back to an older state.
CREATE OR REPLACE FUNCTION treadle.token() RETURNS bigint
LANGUAGE sql VOLATILE AS $$
    SELECT (pg_catalog.random() * 4503599627370496)::bigint | 1
$$;

-- Leases that end while the server is away do not count as ended at once.
CREATE OR REPLACE FUNCTION treadle.is_ended(lease_end timestamptz, lease_ms integer) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT lease_end < pg_catalog.now() AND
        pg_catalog.now() > pg_catalog.pg_postmaster_start_time() + lease_ms * interval '1 ms'
$$;

-- Findings are numbered under a lock of the campaign: who reads those after n misses none.
-- fields: 8 of each, in the order of the columns, without the line.
CREATE OR REPLACE FUNCTION treadle.add_news(of bigint, by bigint, fields bytea[], lines bigint[])
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    f bytea[];
BEGIN
    IF cardinality(fields) <> 8 * cardinality(lines) OR cardinality(lines) > 1000 THEN
        RAISE EXCEPTION 'findings with missing fields, or too many';
    END IF;
    PERFORM treadle.check_numbers(lines, 4294967295);
    PERFORM treadle.check_texts(fields);
    FOR i IN 1 .. cardinality(lines) LOOP
        f := fields[8 * i - 7 : 8 * i];
        CONTINUE WHEN EXISTS (SELECT 1 FROM treadle.news WHERE campaign = of AND id = f[1]);
        PERFORM 1 FROM treadle.campaign WHERE id = of FOR NO KEY UPDATE;
        -- Nobody looks at more, and who reads n of them knows it.
        INSERT INTO treadle.news (campaign, n, worker, at, id, kind, file, line, function, message,
            recording, page, text)
        SELECT of, coalesce(max(n), 0) + 1, by, clock_timestamp(), f[1], f[2], f[3], lines[i], f[4],
            f[5], f[6], f[7], f[8]
        FROM treadle.news WHERE campaign = of HAVING coalesce(max(n), 0) < @STO_MAX_NEWS@
        ON CONFLICT DO NOTHING;
    END LOOP;
END $$;

-- True: this is the worker's newest call, and it may be given items. What was leased in answers that
-- it has not seen is given back.
CREATE OR REPLACE FUNCTION treadle.set_worker(of bigint, self bigint, numbers bigint[],
    texts bytea[], lease integer, calls bigint, seen bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    newest bigint;
BEGIN
    PERFORM treadle.check_worker(of, self);
    PERFORM treadle.check_numbers(numbers, 1099511627776);
    -- Nobody keeps an item from others for longer than this without a word.
    IF lease NOT BETWEEN 1 AND 600000 THEN
        RAISE EXCEPTION 'a lease lasts at most ten minutes';
    END IF;
    PERFORM treadle.check_texts(texts);
    SELECT last_call INTO newest FROM treadle.worker WHERE id = self AND campaign = of FOR NO KEY UPDATE;
    UPDATE treadle.worker SET heard = clock_timestamp(), lease_ms = lease, is_gone = false,
        last_call = greatest(newest, calls) WHERE id = self;
    IF calls > newest AND newest > seen THEN
        UPDATE treadle.item i SET state = 0, attempts = greatest(i.attempts - 1, 0), token = 0
        WHERE i.campaign = of AND i.state = 1 AND i.worker = self AND i.call > seen;
    END IF;
    IF cardinality(numbers) = 7 THEN
        UPDATE treadle.worker SET runs = numbers[1], events_met = numbers[2], targets = numbers[3],
            blocked_runs = numbers[4], lost_runs = numbers[5], cpu_ms = numbers[6],
            rss_kb = numbers[7], name = coalesce(substring(texts[1] FROM 1 FOR 1024), name),
            ledger = coalesce(texts[2], ledger), coverage = coalesce(texts[3], coverage)
        WHERE id = self;
    END IF;
    RETURN calls > newest;
END $$;

-- A number below n that no member can know before: random() would begin where a member says (setseed).
CREATE OR REPLACE FUNCTION treadle.draw(n bigint) RETURNS bigint
LANGUAGE sql VOLATILE AS $$
    SELECT ('x' || substr(gen_random_uuid()::text, 1, 8))::bit(32)::bigint % n
$$;

-- The done-th part of the worker. Four are kept of each.
CREATE OR REPLACE FUNCTION treadle.keep_sample(of bigint, gen integer, self bigint, done bigint,
    its_item bigint, its_payload bytea, counts bigint[], digests numeric[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    at bigint := CASE WHEN done <= 4 THEN done - 1 ELSE treadle.draw(done) END;
BEGIN
    IF at >= 4 THEN
        RETURN;
    END IF;
    DELETE FROM treadle.sample WHERE campaign = of AND generation = gen AND worker = self AND slot = at;
    INSERT INTO treadle.sample VALUES (of, gen, self, at, its_item, its_payload, counts[1], counts[2],
        counts[3], digests[1], digests[2]);
END $$;

CREATE OR REPLACE FUNCTION treadle.add_part(of bigint, gen integer, self bigint, its_item bigint,
    its_payload bytea, counts bigint[], digests numeric[], whole boolean) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    modulus CONSTANT numeric := 340282366920938463463374607431768211456;
    done bigint;
BEGIN
    IF cardinality(counts) <> 4 OR cardinality(digests) <> 2 THEN
        RAISE EXCEPTION 'a part of the campaign is not well-formed';
    END IF;
    PERFORM treadle.check_numbers(counts, 1099511627776);
    PERFORM treadle.check_digests(digests);
    INSERT INTO treadle.part AS p VALUES (of, gen, self, 1, counts[1], counts[2], counts[3],
        digests[1], digests[2], counts[4], CASE WHEN whole THEN 0 ELSE 1 END)
    ON CONFLICT (campaign, generation, worker) DO UPDATE SET n = p.n + 1,
        events = p.events + excluded.events, traces = p.traces + excluded.traces,
        whole_traces = p.whole_traces + excluded.whole_traces, known = p.known + excluded.known,
        digest = (p.digest + excluded.digest) % modulus,
        trace_digest = (p.trace_digest + excluded.trace_digest) % modulus,
        n_incomplete = p.n_incomplete + excluded.n_incomplete
    RETURNING n INTO done;
    IF whole THEN
        PERFORM treadle.keep_sample(of, gen, self, done, its_item, its_payload, counts, digests);
    END IF;
END $$;

-- Counts are as old as a quarter of a millisecond for each worker, 10 ms at least and a quarter of a
-- second at most, so that taking them costs the same share of the server however many there are.
CREATE OR REPLACE FUNCTION treadle.beat(of bigint, gen integer) RETURNS treadle.pulse
LANGUAGE plpgsql VOLATILE AS $$
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
CREATE OR REPLACE FUNCTION treadle.lease(ids bigint[], self bigint, ms integer, its_call bigint)
RETURNS TABLE (item bigint, token bigint, attempts integer, payload bytea)
LANGUAGE sql VOLATILE AS $$
    UPDATE treadle.item i SET state = 1, attempts = i.attempts + 1, token = treadle.token(),
        worker = self, lease_end = clock_timestamp() + ms * interval '1 ms', lease_ms = ms,
        call = its_call
    WHERE i.id = ANY (ids) RETURNING i.id, i.token, i.attempts, i.payload
$$;

-- ---- the command ----

-- One row for each item that was leased, the kept one first, and one without an item at the end
-- that has all the rest. See sto_report and sto_reply in store/exchange/exchange.h.
CREATE OR REPLACE FUNCTION treadle.exchange(
    p_campaign bigint, p_worker bigint, p_generation integer, p_item bigint, p_token bigint,
    p_is_done boolean, p_counts bigint[], p_digests numeric[], p_is_complete boolean,
    p_children bytea[], p_keeps_first boolean, p_news bytea[], p_lines bigint[],
    p_state bigint[], p_texts bytea[], p_want integer, p_lease_ms integer, p_seen bigint,
    p_call bigint)
RETURNS TABLE (item bigint, token bigint, attempts bigint, payload bytea, is_stale boolean,
    generation bigint, is_stopped boolean, n_ready bigint, n_left bigint, n_workers bigint,
    n_hungry bigint, n_runs bigint, n_targets bigint, n_findings bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    gen integer;
    leases boolean;
    deep integer;
    its_payload bytea;
    whole_item bytea;
    stale boolean := false;
    lease interval := p_lease_ms * interval '1 ms';
    taken bigint[];
    p treadle.pulse;
    some_left boolean;
BEGIN
    IF num_nulls(p_campaign, p_worker, p_generation, p_item, p_token, p_is_done, p_counts, p_digests,
            p_is_complete, p_children, p_keeps_first, p_news, p_lines, p_state, p_texts, p_want,
            p_lease_ms, p_seen, p_call) > 0 THEN
        RAISE EXCEPTION 'a field of a report is missing';
    END IF;
    IF p_want NOT BETWEEN 0 AND @STO_MAX_WANT@ OR cardinality(p_children) > 100000 THEN
        RAISE EXCEPTION 'a report asks for too much';
    END IF;
    leases := treadle.set_worker(p_campaign, p_worker, p_state, p_texts, p_lease_ms, p_call, p_seen);
    PERFORM treadle.add_news(p_campaign, p_worker, p_news, p_lines);
    SELECT c.generation, leases AND NOT c.is_stopped, c.whole INTO gen, leases, whole_item
    FROM treadle.campaign c WHERE c.id = p_campaign;

    IF p_item <> 0 AND NOT p_is_done AND cardinality(p_children) = 0 THEN
        UPDATE treadle.item i SET lease_end = clock_timestamp() + lease, lease_ms = p_lease_ms
        WHERE i.id = p_item AND i.campaign = p_campaign AND i.generation = gen
            AND p_generation = gen AND i.state = 1 AND i.token = p_token AND i.worker = p_worker;
        stale := NOT FOUND;
    ELSIF p_item <> 0 THEN
        DELETE FROM treadle.item i
        WHERE i.id = p_item AND i.campaign = p_campaign AND i.generation = gen
            AND p_generation = gen AND i.state = 1 AND i.token = p_token AND i.worker = p_worker
        RETURNING i.depth, i.payload INTO deep, its_payload;
        stale := NOT FOUND;
        IF NOT stale THEN
            IF p_is_done THEN
                PERFORM treadle.add_part(p_campaign, gen, p_worker, p_item, its_payload, p_counts,
                    p_digests, p_is_complete);
                UPDATE treadle.division d SET n_done = d.n_done + 1
                WHERE d.campaign = p_campaign AND d.generation = gen AND d.item = p_item;
            END IF;
            -- The whole is an item without literals: this is a search of treadle.
            IF whole_item = decode('0100', 'hex') AND (NOT p_is_done OR cardinality(p_children) > 0) THEN
                PERFORM treadle.check_division(its_payload, p_children);
            END IF;
            FOR i IN 1 .. cardinality(p_children) LOOP
                PERFORM treadle.check_payload(p_children[i]);
                INSERT INTO treadle.item (campaign, generation, depth, payload, worker)
                VALUES (p_campaign, gen, deep + 1, p_children[i], p_worker) RETURNING id INTO item;
                INSERT INTO treadle.division (campaign, generation, item, parent, literal)
                VALUES (p_campaign, gen, item, p_item, treadle.added_literal(its_payload, p_children[i]));
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
            AND i.lease_end < now() AND i.attempts >= @STO_MAX_ATTEMPTS@
            AND treadle.is_ended(i.lease_end, i.lease_ms)
        FOR UPDATE SKIP LOCKED)
    UPDATE treadle.item i SET state = 2, token = 0 FROM c WHERE i.id = c.id;
    -- Leases that ended; what the worker made itself, as it knows much of that, the newest first; then
    -- the oldest of others.
    IF leases AND p_want > 0 THEN
        taken := ARRAY(SELECT i.id FROM treadle.item i
            WHERE i.campaign = p_campaign AND i.generation = gen AND i.state = 1
                AND i.lease_end < now() AND i.attempts < @STO_MAX_ATTEMPTS@
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

CREATE OR REPLACE FUNCTION treadle.campaign_begin(texts bytea[], whole bytea) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
DECLARE
    of bigint;
    root bigint;
BEGIN
    IF cardinality(texts) <> 5 THEN
        RAISE EXCEPTION 'a campaign has five texts';
    END IF;
    PERFORM treadle.check_texts(texts);
    PERFORM treadle.check_payload(whole);
    PERFORM set_config('synchronous_commit', 'on', true);
    INSERT INTO treadle.campaign (version, protocol, build_id, command, options, whole)
    VALUES (texts[1], texts[2], texts[3], texts[4], texts[5], whole) RETURNING id INTO of;
    INSERT INTO treadle.pulse (campaign) VALUES (of);
    INSERT INTO treadle.item (campaign, generation, depth, payload) VALUES (of, 0, 0, whole)
    RETURNING id INTO root;
    INSERT INTO treadle.division VALUES (of, 0, root, 0, 0, decode('', 'hex'));
    RETURN of;
END $$;

-- For the owner: a campaign that nobody needs any more.
CREATE OR REPLACE FUNCTION treadle.campaign_forget(of bigint) RETURNS void
LANGUAGE sql VOLATILE AS $$
    DELETE FROM treadle.item WHERE campaign = of;
    DELETE FROM treadle.part WHERE campaign = of;
    DELETE FROM treadle.sample WHERE campaign = of;
    DELETE FROM treadle.division WHERE campaign = of;
    DELETE FROM treadle.news WHERE campaign = of;
    DELETE FROM treadle.worker WHERE campaign = of;
    DELETE FROM treadle.pulse WHERE campaign = of;
    DELETE FROM treadle.campaign WHERE id = of;
$$;

CREATE OR REPLACE FUNCTION treadle.campaign_stop(of bigint) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER AS $$
    UPDATE treadle.campaign SET is_stopped = true WHERE id = of
$$;

CREATE OR REPLACE FUNCTION treadle.leases_clear(of bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
BEGIN
    UPDATE treadle.campaign SET is_stopped = false WHERE id = of;
    UPDATE treadle.item SET attempts = CASE state WHEN 2 THEN 0 ELSE greatest(attempts - 1, 0) END,
        state = 0, token = 0, worker = 0
    WHERE campaign = of AND (state = 1 OR state = 2);
END $$;

-- ---- what a worker does beside exchange ----

-- The whole is what it was, whatever a worker says.
CREATE OR REPLACE FUNCTION treadle.campaign_again(of bigint, was integer, whole bytea, promotes bytea) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
DECLARE
    begun_with bytea;
    root bigint;
BEGIN
    PERFORM treadle.check_payload(whole);
    PERFORM treadle.check_payload(promotes);
    IF NOT EXISTS (SELECT 1 FROM treadle.worker w WHERE w.campaign = of
            AND (w.role = session_user OR pg_has_role(session_user, current_user, 'MEMBER'))) THEN
        RAISE EXCEPTION 'the campaign has no worker of the role %', session_user;
    END IF;
    UPDATE treadle.campaign c SET generation = was + 1, promoted = promotes
    WHERE c.id = of AND c.generation = was RETURNING c.whole INTO begun_with;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    DELETE FROM treadle.item WHERE campaign = of AND generation <= was;
    DELETE FROM treadle.part WHERE campaign = of AND generation <= was;
    DELETE FROM treadle.sample WHERE campaign = of AND generation <= was;
    DELETE FROM treadle.division WHERE campaign = of AND generation <= was;
    INSERT INTO treadle.item (campaign, generation, depth, payload)
    VALUES (of, was + 1, 0, CASE WHEN begun_with = '' THEN whole ELSE begun_with END)
    RETURNING id INTO root;
    INSERT INTO treadle.division VALUES (of, was + 1, root, 0, 0, decode('', 'hex'));
END $$;

CREATE OR REPLACE FUNCTION treadle.worker_join(of bigint, called bytea) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
DECLARE
    self bigint;
BEGIN
    IF NOT EXISTS (SELECT 1 FROM treadle.campaign c WHERE c.id = of) THEN
        RAISE EXCEPTION 'there is no campaign %', of;
    END IF;
    IF (SELECT count(*) FROM treadle.worker w WHERE w.campaign = of) >= 100000 THEN
        RAISE EXCEPTION 'the campaign has had 100000 workers';
    END IF;
    PERFORM treadle.check_texts(ARRAY[called]);
    PERFORM set_config('synchronous_commit', 'on', true);
    INSERT INTO treadle.worker (campaign, name, joined, heard)
    VALUES (of, substring(called FROM 1 FOR 1024), clock_timestamp(), clock_timestamp())
    RETURNING id INTO self;
    RETURN self;
END $$;

CREATE OR REPLACE FUNCTION treadle.worker_gone(of bigint, who bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
BEGIN
    PERFORM treadle.check_worker(of, who);
    UPDATE treadle.worker SET is_gone = true WHERE id = who AND campaign = of;
    UPDATE treadle.item SET state = CASE WHEN attempts >= @STO_MAX_ATTEMPTS@ THEN 2 ELSE 0 END, token = 0
    WHERE campaign = of AND state = 1 AND worker = who;
END $$;

-- ---- what is read ----

CREATE OR REPLACE FUNCTION treadle.campaign_find(of bigint)
RETURNS TABLE (id bigint, version bytea, protocol bytea, build_id bytea, command bytea, options bytea)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT c.id, c.version, c.protocol, c.build_id, c.command, c.options FROM treadle.campaign c
    WHERE c.id = of OR of = 0 ORDER BY c.id DESC LIMIT 1
$$;

CREATE OR REPLACE FUNCTION treadle.campaign_promoted(of bigint) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT promoted FROM treadle.campaign WHERE id = of
$$;

CREATE OR REPLACE FUNCTION treadle.peek(of bigint)
RETURNS TABLE (generation bigint, is_stopped boolean, n_ready bigint, n_left bigint, n_workers bigint,
    n_hungry bigint, n_runs bigint, n_targets bigint, n_findings bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
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

-- Sums that no search has are cut, and the campaign is not complete. The first item that is parked, and
-- who had it last; 0 if there is none.
CREATE OR REPLACE FUNCTION treadle.campaign_total(of bigint)
RETURNS TABLE (n bigint, events bigint, traces bigint, whole_traces bigint, digest text,
    trace_digest text, known bigint, n_incomplete bigint, n_items bigint, n_parked bigint,
    parked_item bigint, parked_worker bigint)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    WITH s AS (
        SELECT c.id, c.generation, coalesce(sum(p.n), 0) AS n, coalesce(sum(p.events), 0) AS events,
            coalesce(sum(p.traces), 0) AS traces, coalesce(sum(p.whole_traces), 0) AS whole_traces,
            (coalesce(sum(p.digest), 0) % 340282366920938463463374607431768211456)::text AS digest,
            (coalesce(sum(p.trace_digest), 0) % 340282366920938463463374607431768211456)::text
                AS trace_digest,
            coalesce(sum(p.known), 0) AS known, coalesce(sum(p.n_incomplete), 0) AS n_incomplete
        FROM treadle.campaign c
        LEFT JOIN treadle.part p ON p.campaign = c.id AND p.generation = c.generation
        WHERE c.id = of GROUP BY c.id),
    parked AS (
        SELECT i.id, i.worker, count(*) OVER () AS n FROM treadle.item i
        JOIN s ON i.campaign = s.id AND i.generation = s.generation
        WHERE i.state = 2 ORDER BY i.id LIMIT 1)
    SELECT least(s.n, 4611686018427387904)::bigint, least(s.events, 4611686018427387904)::bigint,
        least(s.traces, 4611686018427387904)::bigint,
        least(s.whole_traces, 4611686018427387904)::bigint, s.digest, s.trace_digest,
        least(s.known, 4611686018427387904)::bigint,
        least(s.n_incomplete + CASE WHEN greatest(s.n, s.events, s.traces, s.known)
            > 4611686018427387904 THEN 1 ELSE 0 END, 4611686018427387904)::bigint,
        (SELECT count(*) FROM treadle.item i
            WHERE i.campaign = s.id AND i.generation = s.generation AND i.state < 2),
        coalesce((SELECT k.n FROM parked k), 0), coalesce((SELECT k.id FROM parked k), 0),
        coalesce((SELECT k.worker FROM parked k), 0)
    FROM s
$$;

-- At most 32 at a time, of 16 MB in all or one.
CREATE OR REPLACE FUNCTION treadle.news_after(of bigint, after bigint)
RETURNS TABLE (id bytea, kind bytea, file bytea, line bigint, function bytea, message bytea,
    recording bytea, page bytea, text bytea)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT f.id, f.kind, f.file, f.line, f.function, f.message, f.recording, f.page, f.text
    FROM (SELECT n.*, row_number() OVER (ORDER BY n.n) AS place,
            sum(octet_length(n.id) + octet_length(n.kind) + octet_length(n.file)
                + octet_length(n.function) + octet_length(n.message) + octet_length(n.recording)
                + octet_length(n.page) + octet_length(n.text)) OVER (ORDER BY n.n) AS size
        FROM treadle.news n WHERE n.campaign = of AND n.n > after ORDER BY n.n LIMIT 32) f
    WHERE f.place = 1 OR f.size <= @STO_MAX_TEXT@ ORDER BY f.n
$$;

-- At most 256 at a time, of 16 MB in all or one.
CREATE OR REPLACE FUNCTION treadle.workers_after(of bigint, after bigint)
RETURNS TABLE (id bigint, name bytea, runs bigint, events_met bigint, targets bigint,
    blocked_runs bigint, lost_runs bigint, cpu_ms bigint, rss_kb bigint, ledger bytea,
    coverage bytea, silent_ms bigint, is_gone boolean, n_items bigint, lived_ms bigint,
    n_parts bigint, n_incomplete bigint)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT w.id, w.name, w.runs, w.events_met, w.targets, w.blocked_runs, w.lost_runs, w.cpu_ms,
        w.rss_kb, w.ledger, w.coverage,
        greatest(0, extract(epoch FROM clock_timestamp() - w.heard) * 1000)::bigint, w.is_gone,
        (SELECT count(*) FROM treadle.item i WHERE i.worker = w.id AND i.state = 1),
        greatest(0, extract(epoch FROM w.heard - w.joined) * 1000)::bigint,
        coalesce(p.n, 0), coalesce(p.n_incomplete, 0)
    FROM (SELECT v.*, row_number() OVER (ORDER BY v.id) AS place,
            sum(octet_length(v.ledger) + octet_length(v.coverage)) OVER (ORDER BY v.id) AS size
        FROM treadle.worker v WHERE v.campaign = of AND v.id > after ORDER BY v.id LIMIT 256) w
    JOIN treadle.campaign c ON c.id = of
    LEFT JOIN treadle.part p ON p.campaign = of AND p.generation = c.generation AND p.worker = w.id
    WHERE w.place = 1 OR w.size <= @STO_MAX_TEXT@ ORDER BY w.id
$$;

-- For the leader: at most 8 parts that others than these workers did, of as many workers as it can be.
CREATE OR REPLACE FUNCTION treadle.samples(of bigint, own bigint[])
RETURNS TABLE (worker bigint, item bigint, payload bytea, events bigint, traces bigint,
    whole_traces bigint, digest text, trace_digest text)
LANGUAGE sql VOLATILE SECURITY DEFINER AS $$
    SELECT s.worker, s.item, s.payload, s.events, s.traces, s.whole_traces, s.digest::text,
        s.trace_digest::text
    FROM treadle.sample s
    JOIN treadle.campaign c ON c.id = s.campaign AND c.generation = s.generation
    WHERE s.campaign = of AND s.worker <> ALL (own)
    ORDER BY s.slot, gen_random_uuid() LIMIT 8
$$;

-- For the leader: how a generation was divided. At most 4096 items at a time, of 16 MB in all or one.
CREATE OR REPLACE FUNCTION treadle.divisions_after(of bigint, gen integer, after bigint)
RETURNS TABLE (item bigint, parent bigint, n_done bigint, literal bytea)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT f.item, f.parent, f.n_done, f.literal
    FROM (SELECT d.*, row_number() OVER (ORDER BY d.item) AS place,
            sum(octet_length(d.literal)) OVER (ORDER BY d.item) AS size
        FROM treadle.division d WHERE d.campaign = of AND d.generation = gen AND d.item > after
        ORDER BY d.item LIMIT 4096) f
    WHERE f.place = 1 OR f.size <= @STO_MAX_TEXT@ ORDER BY f.item
$$;

CREATE OR REPLACE FUNCTION treadle.version() RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT coalesce(max(number), 0)::bigint FROM treadle.migration
$$;

-- ---- for people ----

-- Bytes that are no text are shown with their octal numbers.
CREATE OR REPLACE FUNCTION treadle.readable(bytes bytea) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN convert_from(bytes, 'UTF8');
EXCEPTION WHEN OTHERS THEN
    RETURN encode(bytes, 'escape');
END $$;

CREATE OR REPLACE VIEW treadle.campaigns AS
SELECT id, treadle.readable(command) AS command, treadle.readable(version) AS version,
    treadle.readable(build_id) AS build_id, treadle.readable(options) AS options, begun, starter,
    generation, is_stopped,
    NOT EXISTS (SELECT 1 FROM treadle.item i WHERE i.campaign = c.id
        AND i.generation = c.generation AND i.state < 2) AS is_done
FROM treadle.campaign c;

CREATE OR REPLACE VIEW treadle.progress AS
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

CREATE OR REPLACE VIEW treadle.workers AS
SELECT w.campaign, w.id AS worker, w.role, treadle.readable(w.name) AS name, w.heard,
    round(extract(epoch FROM clock_timestamp() - w.heard)) AS silent_s, w.is_gone,
    (SELECT count(*) FROM treadle.item i WHERE i.worker = w.id AND i.state = 1) AS items,
    w.runs, w.blocked_runs, w.lost_runs, w.events_met, w.cpu_ms, w.rss_kb,
    round(w.runs / nullif(extract(epoch FROM w.heard - w.joined), 0), 1) AS runs_per_s
FROM treadle.worker w;

CREATE OR REPLACE VIEW treadle.findings AS
SELECT f.campaign, f.n, treadle.readable(f.id) AS id, treadle.readable(f.kind) AS kind,
    treadle.readable(f.file) || ':' || f.line AS place, treadle.readable(f.function) AS function,
    treadle.readable(f.message) AS message, f.at AS found, treadle.readable(w.name) AS worker
FROM treadle.news f LEFT JOIN treadle.worker w ON w.id = f.worker;

CREATE OR REPLACE VIEW treadle.rediscovery AS
SELECT p.campaign, sum(p.events) AS events, sum(p.known) AS known,
    round(sum(p.known) / nullif(sum(p.events), 0), 3) AS ratio
FROM treadle.part p JOIN treadle.campaign c ON c.id = p.campaign AND c.generation = p.generation
GROUP BY p.campaign;

-- ---- who may do what ----

REVOKE ALL ON ALL TABLES IN SCHEMA treadle FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA treadle FROM PUBLIC;
GRANT USAGE ON SCHEMA treadle TO treadle_worker, treadle_starter, treadle_reader;
GRANT EXECUTE ON FUNCTION treadle.exchange, treadle.campaign_again, treadle.worker_join,
    treadle.worker_gone, treadle.campaign_find, treadle.campaign_promoted, treadle.peek,
    treadle.campaign_total, treadle.news_after, treadle.workers_after, treadle.version
    TO treadle_worker, treadle_starter;
GRANT EXECUTE ON FUNCTION treadle.campaign_begin, treadle.campaign_stop, treadle.leases_clear,
    treadle.samples, treadle.divisions_after TO treadle_starter;
GRANT SELECT ON treadle.campaigns, treadle.progress, treadle.workers, treadle.findings,
    treadle.rediscovery TO treadle_reader;
GRANT EXECUTE ON FUNCTION treadle.readable, treadle.campaign_find, treadle.peek, treadle.campaign_total,
    treadle.workers_after, treadle.version TO treadle_reader;

-- No setting of a member's connection may change what a function does. A function that anybody but the
-- owner may call has the server's built-in value of each setting that a role may change, but for those
-- that only concern speed, logs, connections and time limits, by the server's own categories: so a
-- setting of a newer server is among them. The functions that these call run with the same values;
-- values of their own would triple the time of an exchange. client_encoding stays the member's: no
-- function has characters that are not ASCII, and errors are written in it. No function takes a type or
-- function of a temporary schema for one of these.
DO $$
DECLARE
    f record;
    s record;
BEGIN
    FOR f IN SELECT p.oid::regprocedure AS name, EXISTS (SELECT 1 FROM pg_catalog.aclexplode(p.proacl) a
                WHERE a.grantee <> p.proowner) AS is_open
        FROM pg_catalog.pg_proc p WHERE p.pronamespace = 'treadle'::regnamespace
    LOOP
        EXECUTE pg_catalog.format('ALTER FUNCTION %s SET search_path = pg_catalog, pg_temp', f.name);
        FOR s IN SELECT g.name, coalesce(g.boot_val, g.reset_val) AS pinned FROM pg_catalog.pg_settings g
            WHERE f.is_open AND g.context = 'user'
                AND g.category NOT LIKE ALL (ARRAY['Query Tuning%', 'Resource Usage%',
                    'Reporting and Logging%', 'Developer Options%', 'Error Handling%', 'Statistics%',
                    'Write-Ahead Log%', 'Replication%', 'Vacuum%', 'Connections and Authentication%',
                    'Client Connection Defaults / Shared Library%'])
                AND g.name NOT LIKE ALL (ARRAY['search_path', 'client_encoding', 'client_min_messages',
                    '%timeout', 'transaction%', 'default_transaction%', 'vacuum%'])
        LOOP
            EXECUTE pg_catalog.format('ALTER FUNCTION %s SET %I TO %L', f.name, s.name, s.pinned);
        END LOOP;
    END LOOP;
END $$;
