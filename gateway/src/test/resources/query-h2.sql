-- What QueryOnH2IT needs besides.

CREATE TABLE states (state ENUM('open', 'paid'));
INSERT INTO states VALUES ('open');

CREATE TABLE documents (id BIGINT PRIMARY KEY, state ENUM('open', 'paid'), doc JSON);
