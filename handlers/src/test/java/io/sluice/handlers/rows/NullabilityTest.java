package io.sluice.handlers.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.ResultSetMetaData;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NullabilityTest {
    /** The column is NOT NULL in its table, {@code orders}. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT id FROM orders                                             | true
            SELECT LEFT(n, 3), RIGHT (n, 3), id FROM orders                   | true
            SELECT orders.id FROM orders LEFT JOIN lines l ON l.o = orders.id | true
            select id from shop.Orders o left join lines l using (o)          | true
            SELECT id FROM lines LEFT JOIN orders o USING (o)                 | false
            SELECT b.id FROM orders a LEFT JOIN orders b ON b.before = a.id   | false
            WITH o AS (SELECT * FROM orders) SELECT id FROM lines LEFT JOIN o | false
            SELECT id FROM lines_of_orders LEFT JOIN orders USING (o)         | false
            SELECT id FROM orders RIGHT JOIN lines l ON l.order_id = id       | false
            SELECT id FROM orders FULL JOIN lines l ON l.order_id = id        | false
            SELECT id FROM orders GROUP BY ROLLUP (id)                        | false
            MERGE INTO l USING orders ON a = b WHEN NOT MATCHED BY SOURCE …   | false
            """)
    void aColumnOfATableMayBeNullBehindAnOuterJoin(String sql, boolean isNotNull) throws Exception {
        assertThat(Nullability.isNotNull(column("orders"), 1, sql)).isEqualTo(isNotNull);
    }

    private static ResultSetMetaData column(String table) {
        return (ResultSetMetaData) Proxy.newProxyInstance(NullabilityTest.class.getClassLoader(),
                new Class<?>[] {ResultSetMetaData.class}, (_, method, _) -> switch (method.getName()) {
                    case "isNullable" -> ResultSetMetaData.columnNoNulls;
                    case "getTableName" -> table;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
