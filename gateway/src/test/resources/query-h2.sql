-- A sleep that does not notice that its statement is cancelled.
CREATE ALIAS thread_sleep FOR 'java.lang.Thread.sleep(long)';
