-- The tables of KilledWriteIT.
DROP TABLE IF EXISTS killed_changes, killed_details, killed_totals;
CREATE TABLE killed_changes (id bigint GENERATED ALWAYS AS IDENTITY, name text);
CREATE TABLE killed_details (change_id bigint);
CREATE TABLE killed_totals (n int);
INSERT INTO killed_totals VALUES (0);
DELETE FROM sluice_idempotency WHERE route = 'POST /changes/{name}';
