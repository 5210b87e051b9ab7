-- The idempotency keys of write routes, with the responses to their requests. For PostgreSQL and H2.
--
-- Apply this file by `psql -1 -f sluice-idempotency.sql`, or by databases.*.init-script = "sluice-idempotency.sql". A
-- second run changes nothing. For another schema or name replace public. or sluice_idempotency throughout. H2 needs
-- MODE=PostgreSQL and DATABASE_TO_LOWER=TRUE in its URL. Sluice's role needs SELECT, INSERT, UPDATE and DELETE.
-- Responses are stored as they were sent: a role that can read the table can read them.

CREATE TABLE IF NOT EXISTS public.sluice_idempotency (
  route varchar NOT NULL, -- method and path template
  caller varchar NOT NULL, -- name of the token; empty without one
  idempotency_key varchar(255) NOT NULL,
  fingerprint bytea NOT NULL, -- SHA-256 of the request's parameters
  expires_at timestamp with time zone NOT NULL,
  status integer, -- of the response, like the rest; null only within the transaction
  headers varchar,
  body bytea,
  PRIMARY KEY (route, caller, idempotency_key)
);

CREATE INDEX IF NOT EXISTS sluice_idempotency_expires_at ON public.sluice_idempotency (expires_at);
