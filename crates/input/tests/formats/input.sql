-- Orders of last year.
CREATE TABLE customers (
    id INTEGER PRIMARY KEY,
    name VARCHAR(40) NOT NULL,
    city TEXT DEFAULT 'Berlin'
);

CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer INTEGER REFERENCES customers (id),
    price NUMERIC(10, 2)
);

CREATE INDEX by_city ON customers (city);

INSERT INTO customers (id, name) VALUES (1, 'Ada'), (2, 'Bob');
INSERT INTO orders VALUES (1, 1, 12.5), (2, 2, 7), (3, 1, 100);

UPDATE orders SET price = price * 2 WHERE id > 2;

SELECT c.name, COUNT(*) AS orders, SUM(o.price) AS total
FROM customers AS c
LEFT JOIN orders AS o ON o.customer = c.id
WHERE c.city = 'Berlin' AND o.price BETWEEN 1 AND 200
GROUP BY c.name
HAVING SUM(o.price) > 10
ORDER BY total DESC
LIMIT 5;

DELETE FROM orders WHERE price IN (SELECT MAX(price) FROM orders);
DROP TABLE orders;
