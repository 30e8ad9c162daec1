-- SPDX-License-Identifier: Apache-2.0
-- Migration 2: functions that a temporary schema cannot deceive, and reports within their ranges.
--
-- A role that may create temporary objects could define a type bytea or text of its own in
-- pg_temp, which is searched first for types unless the search path names it. A function that
-- runs with its owner's rights would then call what that type checks. So every function of the
-- schema names pg_temp, last; nobody needs temporary objects in a farm.
-- A report outside its ranges is refused where it is handed in: no other member has to read it.

CREATE FUNCTION treadle.check_numbers(numbers bigint[], most bigint) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF 0 > ANY (numbers) OR most < ANY (numbers) OR array_position(numbers, NULL) IS NOT NULL THEN
        RAISE EXCEPTION 'a number of a report is out of range';
    END IF;
END $$;

-- The worker is one of the campaign, and of the role that reports: nobody hands in for others, but
-- for the owner. Sums of what is handed in stay below 2^63: 2^40 for each, 2^23 of them.
CREATE FUNCTION treadle.check_worker(of bigint, self bigint) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM treadle.worker w WHERE w.id = self AND w.campaign = of
            AND (w.role = session_user OR pg_has_role(session_user, current_user, 'MEMBER'))) THEN
        RAISE EXCEPTION 'the campaign has no worker % of the role %', self, session_user;
    END IF;
END $$;

CREATE OR REPLACE FUNCTION treadle.add_news(of bigint, by bigint, fields bytea[], lines bigint[])
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    f bytea[];
BEGIN
    IF cardinality(fields) <> 8 * cardinality(lines) OR cardinality(lines) > 100000 THEN
        RAISE EXCEPTION 'findings with missing fields, or too many';
    END IF;
    PERFORM treadle.check_numbers(lines, 4294967295);
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

CREATE OR REPLACE FUNCTION treadle.set_worker(of bigint, self bigint, numbers bigint[],
    texts bytea[], lease integer, calls bigint, seen bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    newest bigint;
BEGIN
    PERFORM treadle.check_worker(of, self);
    PERFORM treadle.check_numbers(numbers, 1099511627776);
    -- Nobody keeps an item from others for longer than this without a word.
    IF lease > 3600000 THEN
        RAISE EXCEPTION 'a lease lasts at most an hour';
    END IF;
    IF (SELECT max(octet_length(t)) FROM unnest(texts) AS t) > 16777216 THEN
        RAISE EXCEPTION 'a text of a worker has more than 16777216 bytes';
    END IF;
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

CREATE OR REPLACE FUNCTION treadle.add_part(of bigint, gen integer, self bigint, counts bigint[],
    digests numeric[], whole boolean) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    modulus CONSTANT numeric := 340282366920938463463374607431768211456;
    d numeric;
BEGIN
    IF cardinality(counts) <> 4 OR cardinality(digests) <> 2 OR whole IS NULL THEN
        RAISE EXCEPTION 'a part of the campaign is not well-formed';
    END IF;
    PERFORM treadle.check_numbers(counts, 1099511627776);
    FOREACH d IN ARRAY digests LOOP
        IF d IS NULL OR NOT (d >= 0 AND d < modulus) OR d <> trunc(d) THEN
            RAISE EXCEPTION 'a digest of a report is out of range';
        END IF;
    END LOOP;
    INSERT INTO treadle.part AS p VALUES (of, gen, self, 1, counts[1], counts[2], counts[3],
        digests[1], digests[2], counts[4], CASE WHEN whole THEN 0 ELSE 1 END)
    ON CONFLICT (campaign, generation, worker) DO UPDATE SET n = p.n + 1,
        events = p.events + excluded.events, traces = p.traces + excluded.traces,
        whole_traces = p.whole_traces + excluded.whole_traces, known = p.known + excluded.known,
        digest = (p.digest + excluded.digest) % modulus,
        trace_digest = (p.trace_digest + excluded.trace_digest) % modulus,
        n_incomplete = p.n_incomplete + excluded.n_incomplete;
END $$;

CREATE OR REPLACE FUNCTION treadle.worker_gone(of bigint, who bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
BEGIN
    PERFORM treadle.check_worker(of, who);
    UPDATE treadle.worker SET is_gone = true WHERE id = who AND campaign = of;
    UPDATE treadle.item SET state = CASE WHEN attempts >= 3 THEN 2 ELSE 0 END, token = 0
    WHERE campaign = of AND state = 1 AND worker = who;
END $$;

CREATE OR REPLACE FUNCTION treadle.worker_join(of bigint, called bytea) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
DECLARE
    self bigint;
BEGIN
    IF NOT EXISTS (SELECT 1 FROM treadle.campaign c WHERE c.id = of) THEN
        RAISE EXCEPTION 'there is no campaign %', of;
    END IF;
    PERFORM set_config('synchronous_commit', 'on', true);
    INSERT INTO treadle.worker (campaign, name, joined, heard)
    VALUES (of, substring(called FROM 1 FOR 1024), clock_timestamp(), clock_timestamp())
    RETURNING id INTO self;
    RETURN self;
END $$;

-- What CREATE OR REPLACE did not say is as it was for these, but for the settings of a function.
DO $$
DECLARE
    f regprocedure;
BEGIN
    FOR f IN SELECT p.oid::regprocedure FROM pg_catalog.pg_proc p
        WHERE p.pronamespace = 'treadle'::regnamespace
    LOOP
        EXECUTE pg_catalog.format('ALTER FUNCTION %s SET search_path = pg_catalog, pg_temp', f);
    END LOOP;
    EXECUTE pg_catalog.format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC',
        pg_catalog.current_database());
END $$;

REVOKE ALL ON ALL TABLES IN SCHEMA treadle FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA treadle FROM PUBLIC;
REVOKE ALL ON SCHEMA treadle FROM PUBLIC;
