-- H2 has no pg_sleep. This one takes milliseconds, and does not notice that its statement is cancelled: H2 looks for
-- that after every 128 rows.
CREATE ALIAS IF NOT EXISTS sleep FOR 'java.lang.Thread.sleep(long)';
