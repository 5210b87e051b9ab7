package io.sluice.handlers.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.config.type.ByteSize;
import io.sluice.config.type.TableName;
import io.sluice.config.write.IdempotencyConfig;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.StubDatabase;
import io.sluice.offload.Deadline;
import io.sluice.offload.WorkScope;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdempotencyTableTest {
    private final IdempotencyTable table = new IdempotencyTable(new IdempotencyConfig(
            TableName.parse("keys"), Duration.ofHours(1), false, new ByteSize(100)), "/orders");
    private final WorkScope scope = (WorkScope) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {WorkScope.class}, (_, method, _) -> method.getName().equals("deadline")
                    ? Deadline.after(Duration.ofMinutes(1)) : (WorkScope.Registration) () -> { });

    /** The clocks of gateways differ, and jump. */
    @Test
    void onlyTheDatabaseTellsTheTime() throws SQLException {
        List<String> statements = new ArrayList<>();
        Connection stub = StubDatabase.connection();
        var connection = (Connection) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {Connection.class}, (_, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        statements.add((String) arguments[0]);
                        return withoutTimes(stub.prepareStatement(""));
                    }
                    return method.invoke(stub, arguments);
                });
        var request = new WriteRequest(Set.of(), "k", "POST", "");

        assertThatThrownBy(() -> table.insert(connection, scope, request, new byte[0]))
                .isInstanceOf(HttpException.class).hasMessageContaining("is running");
        assertThat(statements).hasSize(3).allMatch(sql -> sql.contains("CURRENT_TIMESTAMP"));
    }

    private static PreparedStatement withoutTimes(PreparedStatement stub) {
        return (PreparedStatement) Proxy.newProxyInstance(IdempotencyTableTest.class.getClassLoader(),
                new Class<?>[] {PreparedStatement.class}, (_, method, arguments) -> {
                    assertThat(method.getName()).isNotIn("setObject", "setTimestamp");
                    return method.invoke(stub, arguments);
                });
    }

    /** As with a policy that hides the row from UPDATE, or a trigger that keeps it as it is. */
    @Test
    void aResponseThatIsNotStoredIsAnError() {
        assertThatThrownBy(() -> table.update(StubDatabase.connection(), scope,
                new WriteRequest(Set.of(), "k", "POST", ""), new StoredResponse(201, "", new byte[0])))
                .isInstanceOf(SQLException.class).hasMessageContaining("\"public\".\"keys\"");
    }
}
