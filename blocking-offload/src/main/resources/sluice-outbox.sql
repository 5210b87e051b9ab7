-- A transactional outbox for Sluice: a row is a message. Insert it as the last statement of the transaction whose
-- change it announces; Sluice publishes it after the commit, and deletes it.
--
--     INSERT INTO sluice_outbox (topic, payload) VALUES ('orders.42', '{"status":"paid"}');
--
-- Apply this file by `psql -1 -f sluice-outbox.sql`, or by databases.*.init-script = "sluice-outbox.sql". A second run
-- changes nothing. For another schema or name replace public. or sluice_outbox throughout. Roles that write need
-- INSERT on the table; Sluice's needs SELECT and DELETE.

CREATE TABLE IF NOT EXISTS public.sluice_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic text NOT NULL,
  payload text NOT NULL, -- or bytea, for binary messages
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The rest wakes readers with `listen = true`; others look every poll-interval. A transaction with a NOTIFY commits
-- under a lock of the whole database, one after the other. So only the first commit of each tenth of a second has one.
-- This sequence has the last tenth with a NOTIFY. It changes at once, not with its transaction.
CREATE SEQUENCE IF NOT EXISTS public.sluice_outbox_tick;

CREATE OR REPLACE FUNCTION public.sluice_outbox_wake() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  last_tick CONSTANT regclass := 'public.sluice_outbox_tick';
  tick CONSTANT bigint := floor(10 * extract(epoch FROM clock_timestamp()));
BEGIN
  -- A tick more than a minute ahead is from before the clock was set back.
  IF pg_sequence_last_value(last_tick) BETWEEN tick AND tick + 600 THEN
    RETURN NULL;
  END IF;
  -- Of transactions that commit at the same time one gets the lock; the others do not wait for it.
  IF pg_try_advisory_xact_lock(hashint8extended(tick, TG_RELID::bigint)) THEN
    -- The second look is for one that has been here and committed since the first.
    IF pg_sequence_last_value(last_tick) BETWEEN tick AND tick + 600 THEN
      RETURN NULL;
    END IF;
    PERFORM setval(last_tick, tick);
    PERFORM pg_notify(TG_TABLE_NAME, '');
  END IF;
  RETURN NULL;
END $$;

-- Deferred: it runs at the commit.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_trigger
                 WHERE tgrelid = 'public.sluice_outbox'::regclass AND tgname = 'sluice_outbox_wake') THEN
    CREATE CONSTRAINT TRIGGER sluice_outbox_wake AFTER INSERT ON public.sluice_outbox
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.sluice_outbox_wake();
  END IF;
END $$;
