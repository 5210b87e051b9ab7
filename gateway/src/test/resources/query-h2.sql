-- What QueryOnH2IT needs besides.

CREATE TABLE documents (id BIGINT PRIMARY KEY, state ENUM('open', 'paid'), doc JSON);
