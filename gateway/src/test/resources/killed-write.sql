-- The tables of KilledWriteIT.
DROP TABLE IF EXISTS killed_changes, killed_details, killed_totals;
CREATE TABLE killed_changes (id bigint GENERATED ALWAYS AS IDENTITY, name text);
CREATE TABLE killed_details (change_id bigint);
CREATE TABLE killed_totals (n int);
INSERT INTO killed_totals VALUES (0);
DELETE FROM sluice_idempotency WHERE route = 'POST /changes/{name}';

-- A trigger that changes something even if its statement does not.
DROP TABLE IF EXISTS killed_attempts;
CREATE TABLE killed_attempts (n int);
INSERT INTO killed_attempts VALUES (0);
CREATE OR REPLACE FUNCTION killed_attempt() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN INSERT INTO killed_attempts VALUES (-1); RETURN NULL; END $$;
CREATE TRIGGER attempt AFTER UPDATE ON killed_attempts FOR EACH STATEMENT EXECUTE FUNCTION killed_attempt();
