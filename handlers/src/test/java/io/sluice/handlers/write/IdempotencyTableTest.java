package io.sluice.handlers.write;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.config.type.ByteSize;
import io.sluice.config.type.TableName;
import io.sluice.config.write.IdempotencyConfig;
import io.sluice.offload.Deadline;
import io.sluice.offload.WorkScope;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdempotencyTableTest {
    private final IdempotencyTable table = new IdempotencyTable(new IdempotencyConfig(
            TableName.parse("keys"), Duration.ofHours(1), false, new ByteSize(100)), "/orders");
    private final WorkScope scope = stub(WorkScope.class, (_, method, _) -> switch (method.getName()) {
        case "deadline" -> Deadline.after(Duration.ofMinutes(1));
        case "onCancel" -> (WorkScope.Registration) () -> { };
        default -> throw new UnsupportedOperationException(method.getName());
    });

    private static <T> T stub(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(IdempotencyTableTest.class.getClassLoader(),
                new Class<?>[] {type}, handler));
    }

    /** As with a policy that hides the row from UPDATE, or a trigger that keeps it as it is. */
    @Test
    void aResponseThatIsNotStoredIsAnError() {
        InvocationHandler updating = (_, method, _) -> switch (method.getName()) {
            case "executeUpdate" -> 0;
            case "isWrapperFor" -> false;
            default -> null;
        };
        PreparedStatement statement = stub(PreparedStatement.class, updating);
        Connection connection = stub(Connection.class, (_, _, _) -> statement);

        assertThatThrownBy(() -> table.update(connection, scope, new WriteRequest(Set.of(), "k", "POST", ""),
                new StoredAnswer(201, "", new byte[0]))).isInstanceOf(SQLException.class)
                .hasMessageContaining("\"public\".\"keys\"");
    }
}
