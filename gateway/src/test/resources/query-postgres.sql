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
