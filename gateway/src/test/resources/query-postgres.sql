-- What QueryOnPostgresIT needs besides.

CREATE TYPE order_state AS ENUM ('open', 'paid');

CREATE TABLE deferred (customer_id BIGINT REFERENCES customers (id) DEFERRABLE INITIALLY DEFERRED);
