-- SPDX-License-Identifier: Apache-2.0
-- Migration 4: functions.sql pins the settings that a member's connection could change. It has no table to
-- change; members that ask for its number know that the functions of the farm do.

COMMENT ON SCHEMA treadle IS 'campaigns of treadle that machines share';
