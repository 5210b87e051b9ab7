package io.sluice.offload.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.util.concurrent.Ticker;
import io.sluice.offload.Deadline;
import io.sluice.offload.WorkScope;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

class StatementCancellerTest {
    private static final Ticker CLOCK = Ticker.newMockTicker();

    private final Task task = new Task();
    private final AtomicInteger statementCancels = new AtomicInteger();
    private final AtomicInteger queryCancels = new AtomicInteger();
    private final CountDownLatch threeCancels = new CountDownLatch(3);
    private final AtomicInteger queryTimeout = new AtomicInteger();
    private volatile boolean postgres;
    private volatile boolean failing;
    private volatile Duration driverWaits = Duration.ZERO;
    private final AtomicInteger aborts = new AtomicInteger();

    /**
     * The scope of a task, as of an offload pool: the cancel action has its own thread, and closing waits for
     * it.
     */
    private static final class Task implements WorkScope {
        private Deadline deadline = Deadline.after(Duration.ofMinutes(1), CLOCK);
        private Runnable action;
        private CompletableFuture<Void> running = CompletableFuture.completedFuture(null);

        void cancel() {
            running = CompletableFuture.runAsync(action, Thread::startVirtualThread);
        }

        @Override
        public Deadline deadline() {
            return deadline;
        }

        @Override
        public boolean isAbandoned() {
            return false;
        }

        @Override
        public long clientGraceNanos() {
            return 0;
        }

        @Override
        public Registration onCancel(Runnable toRun) {
            action = toRun;
            return () -> running.join();
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> T proxy(Class<T> type, java.lang.reflect.InvocationHandler handler) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    }

    private Statement statement() {
        Connection connection = proxy(Connection.class, (_, method, _) -> switch (method.getName()) {
            case "isWrapperFor" -> postgres;
            case "unwrap" -> proxy(PGConnection.class, (_, _, _) -> {
                LockSupport.parkNanos(driverWaits.toNanos()); // as the driver does, for the server
                return cancelled(queryCancels);
            });
            case "abort" -> aborts.incrementAndGet();
            default -> throw new UnsupportedOperationException(method.getName());
        });
        return proxy(Statement.class, (_, method, arguments) -> switch (method.getName()) {
            case "getConnection" -> connection;
            case "unwrap" -> proxy(Statement.class, (_, _, _) -> cancelled(statementCancels));
            case "isWrapperFor" -> postgres;
            case "setQueryTimeout" -> {
                queryTimeout.set((int) arguments[0]);
                yield null;
            }
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private Object cancelled(AtomicInteger count) throws SQLException {
        count.incrementAndGet();
        threeCancels.countDown();
        if (failing) {
            throw new SQLException("the connection is breaking");
        }
        return null;
    }

    /**
     * Cancels until three cancels have been sent. A cancelled statement ends with an exception in any case.
     */
    private void cancelUntilThreeCancelsHaveCome() throws Exception {
        var canceller = new StatementCanceller(statement(), task);
        task.cancel();
        assertThat(threeCancels.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(task.running).isNotDone();

        assertThatThrownBy(canceller::close).isInstanceOfSatisfying(SQLException.class,
                e -> assertThat(e.getSQLState()).isEqualTo("57014"));
        assertThat(task.running).isCompleted();
    }

    @Test
    void aCancelIsRepeatedUntilTheStatementHasEnded() throws Exception {
        cancelUntilThreeCancelsHaveCome();
        assertThat(queryCancels).hasValue(0);
    }

    @Test
    void anErrorOfTheDriverIsNoReasonToGiveUp() throws Exception {
        failing = true;
        cancelUntilThreeCancelsHaveCome();
    }

    @Test
    void onPostgresTheConnectionsQueryIsCancelled() throws Exception {
        postgres = true;
        cancelUntilThreeCancelsHaveCome();
        assertThat(statementCancels).hasValue(0);
        assertThat(queryTimeout).as("the driver has one timer for all connections").hasValue(0);
        assertThat(aborts).hasValue(0);
    }

    /** The driver gives up silently, and the server may cancel the next statement of the connection. */
    @Test
    void aConnectionIsBrokenIfTheServerHasNotTakenACancelInTime() throws Exception {
        postgres = true;
        driverWaits = DatabaseLogin.CANCEL_WAIT.plusMillis(1);
        var canceller = new StatementCanceller(statement(), task);
        task.cancel();
        await().until(() -> queryCancels.get() > 0);

        assertThatThrownBy(canceller::close).isInstanceOf(SQLException.class);

        assertThat(aborts).hasValue(1);
    }

    @Test
    void aStatementThatHasEndedIsNotCancelled() throws Exception {
        var canceller = new StatementCanceller(statement(), task);
        canceller.close();
        task.action.run();

        assertThat(statementCancels).hasValue(0);
    }

    @Test
    void theDriverGetsTheRestOfTheTimeInSecondsAndOneMoreForAQueryTimeout() throws SQLException {
        try (var _ = new StatementCanceller(statement(), task)) {
            assertThat(queryTimeout).as("not as early as the deadline").hasValue(61);
        }
        task.deadline = Deadline.after(Duration.ofMillis(1_100), CLOCK);
        try (var _ = new StatementCanceller(statement(), task)) {
            assertThat(queryTimeout).as("never shorter than what is left").hasValue(3);
        }
        task.deadline = Deadline.after(Duration.ZERO);
        try (var _ = new StatementCanceller(statement(), task)) {
            assertThat(queryTimeout).as("0 would be no timeout").hasValue(1);
        }
    }

    @Test
    void theQueryTimeoutOfASessionOfH2Stays() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:;QUERY_TIMEOUT=1234");
                Statement ofH2 = connection.createStatement(); var _ = new StatementCanceller(ofH2, task)) {
            assertThat(ofH2.getQueryTimeout()).isEqualTo(2);
        }
    }

    @Test
    void completedStatementIsNotCancelled() throws SQLException {
        try (var _ = new StatementCanceller(statement(), task)) {
            assertThat(task.action).isNotNull();
        }
        assertThat(statementCancels).hasValue(0);
    }
}
