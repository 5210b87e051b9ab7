package io.sluice.handlers.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.config.type.NamedSql;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.SqlName;
import io.sluice.config.write.StepConfig;
import io.sluice.config.write.WriteConfig;
import io.sluice.handlers.session.BoundSettings;
import io.sluice.offload.Deadline;
import io.sluice.offload.WorkScope;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Elements of a step, in a database that refuses some of them, or all of them together. */
class TransactionTest {
    private static final String UNSUPPORTED = "0A000";

    private final List<String> executed = new ArrayList<>();
    private boolean takesBatches = true;
    private boolean hasBadElement;
    private final Step step = new Step(new StepConfig(Optional.empty(), NamedSql.parse("UPDATE a SET b = 1"),
            Optional.empty(), Optional.of(SqlName.parse("lines")), Optional.empty(), Optional.empty()),
            "UPDATE a SET b = 1", (_, _, element) -> hasBadElement |= element[0].equals("bad"), false, 0, 1,
            Map.of(), Set.of());
    private final Transaction transaction = new Transaction(WriteConfig.NONE, List.of(step),
            PathTemplate.parse("/a"), Set.of(), new StepRows(1000, false), _ -> false);

    @Test
    void aBatchThatTheDatabaseDoesNotSupportIsNotTriedAgain() throws Exception {
        takesBatches = false;
        run("good");
        run("good");

        assertThat(executed).containsExactly("executeBatch", "executeUpdate", "executeUpdate");
    }

    /** PostgreSQL refuses some values, too, by the SQLSTATE of what is not supported. */
    @Test
    void oneElementThatIsNotSupportedLeavesTheOthersABatch() throws Exception {
        assertThatThrownBy(() -> run("bad")).isInstanceOf(FailedElement.class);
        hasBadElement = false;
        run("good");

        assertThat(executed).containsExactly("executeBatch", "executeUpdate", "executeBatch");
    }

    private void run(String element) throws SQLException, IOException {
        transaction.run(proxy(Connection.class), proxy(WorkScope.class), BoundSettings.NONE,
                new Object[] {List.<Object[]>of(new Object[] {element})},
                new WriteRequest(Set.of(), null, "POST", ""), null, (_, _) -> { });
    }

    private Object execute(String method) throws SQLException {
        executed.add(method);
        var unsupported = new SQLException("not supported", UNSUPPORTED);
        if (method.equals("executeUpdate") && hasBadElement) {
            throw unsupported;
        }
        if (method.equals("executeBatch") && (hasBadElement || !takesBatches)) {
            throw new BatchUpdateException(new int[0], unsupported);
        }
        return method.equals("executeUpdate") ? (Object) 1 : new int[] {1};
    }

    private <T> T proxy(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(TransactionTest.class.getClassLoader(),
                new Class<?>[] {type}, (_, method, _) -> switch (method.getName()) {
                    case "prepareStatement" -> proxy(PreparedStatement.class);
                    case "deadline" -> Deadline.after(Duration.ofMinutes(1));
                    case "onCancel" -> proxy(WorkScope.Registration.class);
                    case "executeUpdate", "executeBatch" -> execute(method.getName());
                    case "setAutoCommit", "rollback", "addBatch", "setQueryTimeout", "close" -> null;
                    default -> throw new UnsupportedOperationException(method.getName());
                }));
    }
}
