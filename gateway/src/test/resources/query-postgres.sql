-- What QueryOnPostgresIT needs besides.

CREATE TYPE order_state AS ENUM ('open', 'paid');

CREATE TABLE states (state order_state);
INSERT INTO states VALUES ('open');

CREATE TABLE documents (id BIGINT PRIMARY KEY, state order_state, doc JSONB);

CREATE TABLE deferred (customer_id BIGINT REFERENCES customers (id) DEFERRABLE INITIALLY DEFERRED);

CREATE TABLE altered (id BIGINT);
INSERT INTO altered VALUES (1);

CREATE PROCEDURE add_item(new_name VARCHAR) LANGUAGE sql AS
$$ INSERT INTO items (name, price) VALUES (new_name, 1) $$;

CREATE PROCEDURE add_item_out(new_name VARCHAR, OUT items BIGINT) LANGUAGE plpgsql AS
$$ BEGIN INSERT INTO items (name, price) VALUES (new_name, 1); SELECT COUNT(*) INTO items FROM items AS i; END $$;

CREATE FUNCTION raise(state TEXT) RETURNS TEXT LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'secret' USING ERRCODE = state, HINT = 'a hint'; END $$;

CREATE TABLE altered_steps (id BIGINT);
INSERT INTO altered_steps VALUES (1);
CREATE TABLE altered_runs (n INTEGER);

CREATE TABLE checked_lines (n INTEGER CONSTRAINT checked_n CHECK (n > 0) CONSTRAINT checked_once UNIQUE);

CREATE TABLE labels (label TEXT PRIMARY KEY);

CREATE SCHEMA aside;
CREATE TYPE aside.mood AS ENUM ('good');
CREATE TABLE handed_on (id BIGSERIAL, state order_state, mood aside.mood, name TEXT, code CHAR(4), a_bit BIT(4),
  is_on BOOLEAN, a_real REAL, a_double DOUBLE PRECISION, price MONEY, a_date DATE, a_time TIME, a_timetz TIMETZ,
  at TIMESTAMP, at_tz TIMESTAMPTZ);
INSERT INTO handed_on VALUES (DEFAULT, 'paid', 'good', 'it''s', 'ab', B'1010', TRUE, 0.1, 0.1, 12.50, '2026-01-31',
  '10:00:00.123456', '10:00:00.123456+02', '2026-03-29 02:30:00.123456', 'infinity');

CREATE TABLE paged (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO paged SELECT n, 'name ' || n FROM GENERATE_SERIES(1, 3) AS g(n);

CREATE TABLE noted (n INTEGER);
CREATE FUNCTION note(n INTEGER) RETURNS INTEGER LANGUAGE sql AS $$ INSERT INTO noted VALUES (n) RETURNING noted.n $$;

CREATE FUNCTION executed(statement TEXT) RETURNS TEXT LANGUAGE plpgsql AS
$$ DECLARE result TEXT; BEGIN EXECUTE statement INTO result; RETURN result; END $$;
