-- name: products
SELECT sku, name, price, stock, attributes FROM products
WHERE CAST(:color AS text) IS NULL OR attributes @> jsonb_build_object('color', :color)

-- name: product
SELECT sku, name, price, stock, attributes, version FROM products WHERE sku = :sku

-- name: change-product
UPDATE products SET
  price = CASE WHEN :price_sent THEN :price ELSE price END,
  attributes = CASE WHEN :attributes_sent THEN attributes || :attributes ELSE attributes END,
  version = version + 1
WHERE sku = :sku AND (:match IS NULL OR version IN (:match))
RETURNING sku, name, price, stock, attributes, version

-- name: insert-line
INSERT INTO order_lines (order_id, sku, quantity, price)
SELECT :order.id, sku, :lines.quantity, price FROM products WHERE sku = :lines.sku

-- name: take-from-stock
UPDATE products SET stock = stock - :lines.quantity WHERE sku = :lines.sku AND stock >= :lines.quantity

-- name: placed-order
SELECT id, (SELECT sum(quantity * price) FROM order_lines WHERE order_id = orders.id) AS total
FROM orders WHERE id = :order.id

-- name: orders
SELECT id, customer, status,
  (SELECT sum(quantity * price) FROM order_lines WHERE order_id = orders.id) AS total
FROM orders

-- name: order
SELECT id, customer, status,
  (SELECT jsonb_agg(jsonb_build_object('sku', sku, 'quantity', quantity, 'price', price) ORDER BY sku)
   FROM order_lines WHERE order_id = orders.id) AS lines
FROM orders WHERE id = :id

-- name: import-product
INSERT INTO products (sku, name, price, stock, attributes) VALUES (:sku, :name, :price, :stock, :attributes)
ON CONFLICT (sku) DO UPDATE SET name = EXCLUDED.name, price = EXCLUDED.price, stock = EXCLUDED.stock,
  attributes = EXCLUDED.attributes, version = products.version + 1
