-- SPDX-License-Identifier: Apache-2.0
-- Migration 2: nobody needs temporary objects in a farm, or objects of its own in the schema.
--
-- A role that may create temporary objects could define a type bytea or text of its own in
-- pg_temp, which is searched first for types unless the search path names it. A function that
-- runs with its owner's rights would then call what that type checks. functions.sql names pg_temp,
-- last, in the search path of every function.

DO $$
BEGIN
    EXECUTE pg_catalog.format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC',
        pg_catalog.current_database());
END $$;
REVOKE ALL ON SCHEMA treadle FROM PUBLIC;
