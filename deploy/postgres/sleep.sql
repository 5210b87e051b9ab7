-- PostgreSQL's sleep as the demo's routes call it, with milliseconds.
CREATE FUNCTION sleep(ms BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS
  $$ BEGIN PERFORM pg_sleep(ms / 1000.0); RETURN ms; END $$;
