-- H2 has no function that sleeps, as PostgreSQL's pg_sleep does; this one takes milliseconds.
CREATE ALIAS IF NOT EXISTS sleep FOR 'io.sluice.offload.jdbc.SqlSleep.sleep';
