CREATE ROLE shop LOGIN PASSWORD 'shop';
CREATE TABLE products (
  sku text PRIMARY KEY,
  name text NOT NULL,
  price numeric(10, 2) NOT NULL CONSTRAINT products_price CHECK (price > 0),
  stock int NOT NULL CONSTRAINT products_stock CHECK (stock >= 0),
  attributes jsonb NOT NULL DEFAULT '{}',
  version bigint NOT NULL DEFAULT 1
);
CREATE INDEX ON products (price, sku);
INSERT INTO products (sku, name, price, stock, attributes)
SELECT 'P' || 100 + n, (ARRAY['pump', 'valve', 'hose', 'seal'])[n % 4 + 1], 5 + n * 0.25, 10,
  jsonb_build_object('color', (ARRAY['red', 'blue', 'green'])[n % 3 + 1], 'weight', n)
FROM generate_series(0, 199) n;
GRANT SELECT, INSERT, UPDATE ON products TO shop;

CREATE TABLE orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer text NOT NULL DEFAULT current_setting('app.user'),
  status text NOT NULL DEFAULT 'new',
  ordered_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON orders (customer, id);
CREATE TABLE order_lines (
  order_id bigint REFERENCES orders,
  sku text REFERENCES products,
  quantity int NOT NULL CONSTRAINT lines_quantity CHECK (quantity > 0),
  price numeric(10, 2) NOT NULL,
  CONSTRAINT lines_once PRIMARY KEY (order_id, sku)
);
GRANT SELECT, INSERT ON orders, order_lines TO shop;
GRANT UPDATE (status) ON orders TO shop;

ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
ALTER TABLE order_lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON orders USING (customer = current_setting('app.user'));
CREATE POLICY clerk ON orders USING (current_setting('app.user') = 'clerk');
CREATE POLICY visible ON order_lines USING (EXISTS (SELECT FROM orders WHERE id = order_id));

GRANT SELECT, INSERT, UPDATE, DELETE ON sluice_idempotency TO shop;

CREATE TABLE sales AS
SELECT n AS id, 'P' || 100 + n % 200 AS sku, n % 7 + 1 AS quantity, (n % 7 + 1) * 12.50 AS amount,
  DATE '2026-01-01' + n / 3000 AS sold_on
FROM generate_series(1, 1000000) n;
ALTER TABLE sales ADD PRIMARY KEY (id);
GRANT SELECT ON sales TO shop;

CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO sluice_outbox (topic, payload)
  SELECT topic, json_build_object('order', NEW.id, 'customer', NEW.customer, 'status', NEW.status)
  FROM (VALUES ('log'), ('order.' || NEW.id)) AS topics (topic);
  RETURN NULL;
END $$;
CREATE TRIGGER announce AFTER INSERT OR UPDATE OF status ON orders FOR EACH ROW EXECUTE FUNCTION announce();
GRANT SELECT, DELETE ON sluice_outbox TO shop;
