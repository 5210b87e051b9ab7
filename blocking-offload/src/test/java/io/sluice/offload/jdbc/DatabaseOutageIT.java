package io.sluice.offload.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.PoolConfig;
import io.sluice.config.PoolConfig.Kind;
import io.sluice.offload.Deadline;
import io.sluice.offload.Offload;
import io.sluice.offload.OffloadException.DatabaseUnavailable;
import io.sluice.offload.PoolObserver;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Outages of a database. Each test starts its own server, and waits most of the time. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DatabaseOutageIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration OFTEN = Duration.ofMillis(100);
    private static final Duration NEVER = Duration.ofHours(1);
    /** The connection timeout of tests that wait for it. */
    private static final Duration SHORT = Duration.ofSeconds(1);
    /**
     * Longer than the 500 ms for which HikariCP hands out an idle connection without a check that it is
     * alive.
     */
    private static final Duration LONGER_THAN_TRUSTED = Duration.ofMillis(700);

    static {
        System.setProperty("h2.bindAddress", "127.0.0.1");
    }

    private final EventExecutor home = new DefaultEventExecutor();
    private final Offload pool =
            Offload.start("sql", PoolConfig.of(Kind.PLATFORM, 2, 10, Duration.ofMinutes(5)),
                    PoolObserver.NONE);
    private int port;
    private Server server;
    private Database database;

    /**
     * Chooses a port below the ephemeral ones. A client could get one of those while the database is stopped.
     */
    @BeforeEach
    void choosePort() throws IOException {
        port = ThreadLocalRandom.current().nextInt(10_000, 30_000);
        try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return; // the port is free
        } catch (BindException e) {
            choosePort();
        }
    }

    @AfterEach
    void close() {
        pool.close();
        if (database != null) {
            database.close();
        }
        if (server != null) {
            server.stop();
        }
        home.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void workFailsAtOnceWhileTheDatabaseIsGoneAndIsDoneAgainAfterItsReturn() throws Exception {
        startServer();
        database = database(OFTEN);
        assertThat(database.reachable()).isTrue();
        assertThat(answer()).isEqualTo(42);

        server.stop();
        await().atMost(PATIENCE).until(() -> !database.reachable());

        Future<Integer> unavailable = submit();
        assertThat(unavailable.isDone()).as("failed at once").isTrue();
        assertThat(unavailable.cause()).asInstanceOf(type(DatabaseUnavailable.class))
                .extracting(DatabaseUnavailable::retryAfter).isEqualTo(OFTEN);
        await().atMost(PATIENCE).until(() -> pool.stats().busy() == 0);

        startServer();
        await().atMost(PATIENCE).until(database::reachable);
        await().atMost(PATIENCE).ignoreExceptions().until(() -> answer() == 42);
    }

    @Test
    void workThatWaitsWhenTheDatabaseGoesFailsWithoutLookingForIt() throws Exception {
        startServer();
        database = database(OFTEN);
        assertThat(answer()).isEqualTo(42);
        var gone = new CountDownLatch(1);
        for (int i = 0; i < 2; i++) {
            pool.submit(Deadline.after(PATIENCE), home, _ -> gone.await(1, TimeUnit.MINUTES));
        }
        var waiting = IntStream.range(0, 8).mapToObj(_ -> submit()).toList();

        server.stop();
        await().atMost(PATIENCE).until(() -> !database.reachable());
        gone.countDown();

        // If each of the 8 tasks waited for a connection, the two workers would need four times 30 s.
        await().atMost(PATIENCE).until(() -> waiting.stream().allMatch(Future::isDone));
        assertThat(waiting).extracting(Future::cause).hasOnlyElementsOfType(DatabaseUnavailable.class);
    }

    @Test
    void workThatFindsTheDatabaseGoneSaysSoAndMakesItKnown() throws Exception {
        startServer();
        database = database(SHORT, NEVER);
        await().atMost(PATIENCE).ignoreExceptions().until(() -> answer() == 42);

        server.stop();
        await().pollDelay(LONGER_THAN_TRUSTED).until(() -> true);
        assertThat(failure()).isInstanceOf(DatabaseUnavailable.class);

        await().atMost(PATIENCE).until(() -> !database.reachable());
    }

    /** Without a look at idle connections, each would fail one task: both were used a moment ago. */
    @Test
    void aServerThatIsReplacedAtOnceFailsNoMoreThanTheTaskThatNoticesIt() throws Exception {
        startServer();
        database = database(NEVER);
        var both = new CountDownLatch(2);
        var used = IntStream.range(0, 2).mapToObj(_ -> database.submit(null, Deadline.after(PATIENCE), home,
                (connection, _) -> {
                    both.countDown();
                    both.await(1, TimeUnit.MINUTES);
                    return fortyTwo(connection);
                })).toList();
        for (Future<Integer> each : used) {
            assertThat(each.sync().getNow()).isEqualTo(42);
        }

        server.stop();
        startServer();

        failure();
        assertThat(answer()).isEqualTo(42);
        assertThat(answer()).isEqualTo(42);
    }

    @Test
    void aGatewayStartsWithoutItsDatabaseAndFindsItLater() throws Exception {
        database = database(SHORT, OFTEN);

        assertThat(database.reachable()).isFalse();
        assertThat(failure()).isInstanceOf(DatabaseUnavailable.class);
        assertThatThrownBy(() -> database.runScript("SELECT 1")).isInstanceOf(SQLException.class);

        startServer();
        await().atMost(PATIENCE).until(database::reachable);
        await().atMost(PATIENCE).ignoreExceptions().until(() -> answer() == 42);
    }

    @Test
    void aGatewayStartsThoughItsDatabaseTakesTheConnectionAndSaysNothing() throws Exception {
        try (var silent = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
            database = database(SHORT, OFTEN);

            assertThat(database.reachable()).isFalse();
            assertThat(failure()).isInstanceOf(DatabaseUnavailable.class);
            database.close();
            assertThat(silent.isClosed()).as("the silence was broken").isFalse();
        }
    }

    private Database database(Duration probeInterval) {
        return database(PATIENCE, probeInterval);
    }

    private Database database(Duration connectionTimeout, Duration probeInterval) {
        String url = "jdbc:h2:tcp://127.0.0.1:" + port + "/mem:outage" + port + ";DB_CLOSE_DELAY=-1";
        var database = new Database("h2",
                DatabaseConfigs.of(url, connectionTimeout, probeInterval), pool);
        database.connect(null);
        database.open();
        return database;
    }

    private void startServer() throws SQLException {
        server = Server.createTcpServer("-tcpPort", String.valueOf(port), "-ifNotExists").start();
    }

    private int answer() throws Exception {
        return submit().sync().getNow();
    }

    private Throwable failure() throws InterruptedException {
        return submit().await().cause();
    }

    private Future<Integer> submit() {
        return database.submit(null, Deadline.after(PATIENCE), home, (connection, _) -> fortyTwo(connection));
    }

    private static int fortyTwo(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT 42")) {
            row.next();
            return row.getInt(1);
        }
    }
}
