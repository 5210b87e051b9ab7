package io.sluice.handlers.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.sluice.offload.Deadline;
import io.sluice.offload.WorkScope;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.Types;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ResultColumnsTest {
    private final MockTicker clock = Ticker.newMockTicker();
    private final ResultColumns columns = new ResultColumns("SELECT id FROM t", clock);
    private int nullable = ResultSetMetaData.columnNoNulls;

    @Test
    void areKnownForAMinuteSinceTablesMayBeAltered() throws Exception {
        assertThat(columns.known()).isNull();
        assertThat(columns.ask(connection(), task(), _ -> 1).notNull()).containsExactly("id");

        nullable = ResultSetMetaData.columnNullable;
        clock.advance(59, TimeUnit.SECONDS);
        assertThat(columns.known().notNull()).containsExactly("id");
        clock.advance(1, TimeUnit.SECONDS);
        assertThat(columns.known()).isNull();
        assertThat(columns.ask(connection(), task(), _ -> 1).notNull()).isEmpty();
    }

    private Connection connection() {
        return proxy(Connection.class);
    }

    private WorkScope task() {
        return proxy(WorkScope.class);
    }

    private <T> T proxy(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(ResultColumnsTest.class.getClassLoader(),
                new Class<?>[] {type}, (_, method, _) -> switch (method.getName()) {
                    case "prepareStatement" -> proxy(PreparedStatement.class);
                    case "getMetaData" -> proxy(ResultSetMetaData.class);
                    case "getColumnCount" -> 1;
                    case "getColumnLabel" -> "id";
                    case "getColumnType" -> Types.INTEGER;
                    case "getColumnTypeName" -> "int4";
                    case "isNullable" -> nullable;
                    case "isWrapperFor" -> false;
                    case "deadline" -> Deadline.after(Duration.ofSeconds(1));
                    case "onCancel" -> proxy(WorkScope.Registration.class);
                    case "setQueryTimeout", "close" -> null;
                    default -> throw new UnsupportedOperationException(method.getName());
                }));
    }
}
