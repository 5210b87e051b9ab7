-- What QueryContractOnMariadbIT needs.

CREATE TABLE customers (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(100) NOT NULL, email VARCHAR(100) NOT NULL UNIQUE,
  country VARCHAR(2) NOT NULL);
INSERT INTO customers
SELECT seq, CONCAT(ELT(1 + MOD(seq, 8), 'Ada', 'Björn', 'Chloé', 'Dmitri', 'Emre', 'Fatima', 'Grace', 'Hiro'), ' ',
    ELT(1 + MOD(seq, 7), 'Adeyemi', 'Berg', 'Costa', 'Dubois', 'Evans', 'Fischer', 'Gupta'), ' ', seq),
  CONCAT('customer', seq, '@example.com'), ELT(1 + MOD(seq * 7, 6), 'DE', 'FR', 'PL', 'SE', 'TR', 'US')
FROM seq_1_to_500;

CREATE TABLE items (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20) NOT NULL UNIQUE,
  price DECIMAL(6, 2) CHECK (price >= 0), customer_id BIGINT REFERENCES customers (id));
CREATE TABLE documents (id BIGINT PRIMARY KEY, state ENUM('open', 'paid'), doc JSON);

-- A boolean is one only in a table.
CREATE TABLE truths (v BOOLEAN);
INSERT INTO truths VALUES (TRUE), (FALSE);
CREATE TABLE result_rows (big BIGINT, price DECIMAL(3, 2), text VARCHAR(10), nothing VARCHAR(1), small INTEGER,
  yes BOOLEAN, half DOUBLE);
INSERT INTO result_rows VALUES (9007199254740993, 0.10, 'a, "b"', NULL, 7, TRUE, 0.5), (2, 0.20, '', 'x', 8, FALSE, 1.5);
