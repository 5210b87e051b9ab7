package io.sluice.offload.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.PoolConfig;
import io.sluice.config.PoolConfig.Kind;
import io.sluice.offload.Deadline;
import io.sluice.offload.Offload;
import io.sluice.offload.OffloadException;
import io.sluice.offload.PoolObserver;
import io.sluice.offload.WorkScope;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DatabaseTest {
    private static final int WORKERS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String ENDLESS =
            "SELECT COUNT(*) FROM SYSTEM_RANGE(1,100000) a, SYSTEM_RANGE(1,100000) b";

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final EventExecutor home = new DefaultEventExecutor();
    private final Offload pool = Offload.start("sql",
            PoolConfig.of(Kind.PLATFORM, WORKERS, 10, Duration.ofMinutes(5)), PoolObserver.NONE);
    private final Database database = new Database("h2",
            DatabaseConfigs.of(url, Duration.ofSeconds(10), Duration.ofHours(1)), pool);

    @BeforeEach
    void createTable() throws SQLException {
        database.connect(null);
        database.runScript("CREATE TABLE item (name VARCHAR)");
        assertThat(database.reachable()).as("before it is opened").isFalse();
        assertThat(database.submit(null, Deadline.after(Duration.ofSeconds(9)), home, (_, _) -> 1)
                .awaitUninterruptibly().cause()).isInstanceOf(OffloadException.DatabaseUnavailable.class);
        database.open();
    }

    @AfterEach
    void close() throws SQLException {
        pool.close();
        database.close();
        home.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN");
        }
    }

    @Test
    void isReachableAndEveryWorkerHasAConnection() throws Exception {
        assertThat(database.reachable()).isTrue();
        assertThatEveryWorkerGetsAConnection();
    }

    @Test
    void workIsCommittedBeforeItsFutureCompletes() throws Exception {
        int updated = result(submit((connection, _) -> insert(connection)));

        assertThat(updated).isOne();
        assertThat(items()).isOne();
    }

    @Test
    void failedWorkIsRolledBack() throws Exception {
        var thrown = new IOException("thrown by the work");

        Future<?> future = submit((connection, _) -> {
            insert(connection);
            throw thrown;
        });

        assertThat(failure(future)).isSameAs(thrown);
        assertThat(items()).isZero();
    }

    @Test
    void workThatCannotBeMadeCostsNoConnection() throws Exception {
        var thrown = new IOException("thrown by the preparation");
        var release = new CountDownLatch(1);
        for (int i = 0; i < WORKERS; i++) {
            submit((_, _) -> release.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
        try (Offload other = Offload.start("other", PoolConfig.of(Kind.PLATFORM, 1, 1, PATIENCE),
                PoolObserver.NONE)) {
            Future<?> future = database.withPool(other)
                    .submitPrepared(null, Deadline.after(PATIENCE), home, _ -> {
                        throw thrown;
                    });

            assertThat(failure(future)).isSameAs(thrown);
        } finally {
            release.countDown();
        }
    }

    @Test
    void aResultIsReleasedWhereItCannotBeCommitted() throws Exception {
        ByteBuf result = Unpooled.buffer(1);

        Future<?> future = submit((connection, _) -> {
            connection.close();
            return result;
        });

        assertThat(failure(future)).isInstanceOf(SQLException.class);
        assertThat(result.refCnt()).isZero();
    }

    @Test
    void anSqlErrorComesBackAsItIs() throws Exception {
        Future<?> future = submit((connection, _) -> connection.prepareStatement("SELECT nothing"));

        assertThat(failure(future)).isInstanceOf(SQLException.class)
                .extracting(e -> ((SQLException) e).getSQLState()).isEqualTo("42S22");
    }

    @Test
    void connectionsComeBackHoweverWorkEnds() throws Exception {
        var used = new AtomicReference<Connection>();
        for (int i = 0; i < 2 * WORKERS; i++) {
            result(submit((connection, _) -> insert(connection)));
            failure(submit((connection, _) -> connection.prepareStatement("SELECT nothing")));
            failure(submit((connection, _) -> {
                used.set(connection.unwrap(Connection.class));
                insert(connection);
                throw new OutOfMemoryError("thrown by a test");
            }));
            await("closed after an Error").atMost(PATIENCE).until(() -> used.get().isClosed());
        }

        assertThat(items()).isEqualTo(2 * WORKERS);
        assertThatEveryWorkerGetsAConnection();
    }

    @Test
    void cancellingEndsTheRunningStatementAndRollsBack() throws Exception {
        var end = new CompletableFuture<Throwable>();
        Future<?> future = submit((connection, scope) -> {
            insert(connection);
            return runEndlessQuery(connection, scope, end);
        });
        awaitEndlessQuery();

        future.cancel(false);

        assertThat(failure(future)).isInstanceOf(CancellationException.class);
        assertThat(end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(SQLException.class)
                .extracting(e -> ((SQLException) e).getSQLState()).as("statement was cancelled")
                .isEqualTo("57014");
        await().atMost(PATIENCE).until(() -> pool.stats().busy() == 0);
        assertThat(items()).isZero();
        assertThatEveryWorkerGetsAConnection();
    }

    /** The cancel follows the last statement, so there is no statement to cancel. */
    @Test
    void cancelledWorkIsNotCommitted() throws Exception {
        var itself = new CompletableFuture<Future<?>>();
        itself.complete(submit((connection, _) -> {
            insert(connection);
            return itself.get().cancel(false);
        }));

        assertThat(failure(itself.get())).isInstanceOf(CancellationException.class);
        await().atMost(PATIENCE).until(() -> pool.stats().busy() == 0);
        assertThat(items()).isZero();
    }

    @Test
    void aScriptOfSeveralStatementsRunsAndIsCommitted() throws Exception {
        database.runScript("""
                INSERT INTO item VALUES ('a;b');
                -- a comment; with a semicolon
                CREATE TABLE other (id INT);
                INSERT INTO item SELECT 'c';
                """);

        assertThat(items()).isEqualTo(2);
    }

    @Test
    void aScriptThatFailsSaysWhyAndKeepsNoConnection() throws Exception {
        for (int i = 0; i <= WORKERS; i++) {
            assertThatThrownBy(() -> database.runScript("INSERT INTO item VALUES ('a'); INSERT INTO nowhere"))
                    .isInstanceOf(SQLException.class).hasMessageContaining("NOWHERE");
        }

        assertThat(items()).isZero();
        assertThatEveryWorkerGetsAConnection();
    }

    private static Object runEndlessQuery(Connection connection, WorkScope scope,
                                          CompletableFuture<Throwable> end) throws SQLException {
        try (Statement statement = connection.createStatement();
                var _ = scope.onCancel(() -> cancel(statement))) {
            return statement.execute(ENDLESS);
        } catch (SQLException e) {
            end.complete(e);
            throw e;
        }
    }

    private static void cancel(Statement statement) {
        try {
            statement.cancel();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private void awaitEndlessQuery() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement query = connection.prepareStatement(
                        "SELECT 1 FROM INFORMATION_SCHEMA.SESSIONS WHERE EXECUTING_STATEMENT = ?")) {
            query.setString(1, ENDLESS);
            await().atMost(PATIENCE).until(() -> {
                try (ResultSet rows = query.executeQuery()) {
                    return rows.next();
                }
            });
        }
    }

    private void assertThatEveryWorkerGetsAConnection() throws InterruptedException {
        var everyWorker = new CyclicBarrier(WORKERS);
        var sessions = new ArrayList<Future<Integer>>();
        for (int i = 0; i < WORKERS; i++) {
            sessions.add(submit((connection, _) -> {
                everyWorker.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                return single(connection, "SELECT SESSION_ID()");
            }));
        }
        var distinct = new HashSet<Integer>();
        for (Future<Integer> session : sessions) {
            distinct.add(result(session));
        }
        assertThat(distinct).hasSize(WORKERS);
    }

    private static int insert(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate("INSERT INTO item VALUES ('x')");
        }
    }

    private int items() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            return single(connection, "SELECT COUNT(*) FROM item");
        }
    }

    private static int single(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    private <T> Future<T> submit(SqlWork<T> work) {
        return database.submit(null, Deadline.after(Duration.ofMinutes(5)), home, work);
    }

    private static <T> T result(Future<T> future) throws InterruptedException {
        assertThat(future.await(PATIENCE.toMillis())).isTrue();
        assertThat(future.cause()).isNull();
        return future.getNow();
    }

    private static Throwable failure(Future<?> future) throws InterruptedException {
        assertThat(future.await(PATIENCE.toMillis())).isTrue();
        assertThat(future.cause()).isNotNull();
        return future.cause();
    }
}
