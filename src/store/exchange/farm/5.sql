-- SPDX-License-Identifier: Apache-2.0
-- Migration 5: how a campaign was divided. A leader that has read it knows what the parts cover without
-- relying on what the functions of the farm checked.

-- A row for each item that there ever was in a generation: whose half it is, and by which literal.
CREATE TABLE treadle.division (
    campaign bigint NOT NULL,
    generation integer NOT NULL,
    item bigint NOT NULL,
    parent bigint NOT NULL, -- 0: it is the whole
    n_done bigint NOT NULL DEFAULT 0, -- parts that were handed in for it
    literal bytea NOT NULL, -- what it has more than its parent
    PRIMARY KEY (campaign, generation, item)
) WITH (fillfactor = 90);
ALTER TABLE treadle.division ALTER literal SET STORAGE EXTERNAL;
