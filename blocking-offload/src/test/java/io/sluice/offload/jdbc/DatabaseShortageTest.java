package io.sluice.offload.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.PoolConfig;
import io.sluice.config.PoolConfig.Kind;
import io.sluice.offload.Deadline;
import io.sluice.offload.LocalShortage;
import io.sluice.offload.Offload;
import io.sluice.offload.PoolObserver;
import java.net.SocketException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A database that is reachable while the pool cannot open connections to it. */
class DatabaseShortageTest {
    private static final String URL = "jdbc:stub:shortage";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EventExecutor home = new DefaultEventExecutor();
    private final Offload pool = Offload.start("sql",
            PoolConfig.of(Kind.PLATFORM, 2, 10, Duration.ofMinutes(5)), PoolObserver.NONE);
    private final Database database = new Database("stub",
            DatabaseConfigs.of(URL, Duration.ofMillis(250), Duration.ofMillis(100)), pool);
    private StubDriver driver;

    @BeforeEach
    void registerDriver() throws SQLException {
        driver = new StubDriver(URL);
    }

    @AfterEach
    void close() throws SQLException {
        pool.close();
        database.close();
        driver.close();
        home.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void tellsALackOfDescriptors() throws Exception {
        assertIsCause(new SocketException("Too many open files"));
    }

    @Test
    void tellsALackOfThreads() throws Exception {
        assertIsCause(new OutOfMemoryError("unable to create native thread"));
    }

    /** HikariCP starts threads, which may fail; no registry of meters fails as well. */
    @Test
    void isClosedWholeThoughItsConnectionsCannotBePooled() {
        var noRegistry = new Object();
        assertThatThrownBy(() -> database.connect(noRegistry)).isInstanceOf(IllegalArgumentException.class);
        database.close();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("probe-stub")));
    }

    private void assertIsCause(Throwable shortage) throws Exception {
        var refused = new AtomicInteger();
        driver.onConnect = () -> {
            if (Thread.currentThread().getName().startsWith("probe-")) {
                return true;
            }
            refused.incrementAndGet();
            if (shortage instanceof Error error) {
                throw error;
            }
            throw (Exception) shortage;
        };
        database.connect(null);
        database.open();
        // The second attempt shows that the pool has recorded the failure of the first.
        await().atMost(PATIENCE).until(() -> refused.get() >= 2);

        Future<Integer> future = database.submit(null, Deadline.after(PATIENCE), home, (_, _) -> 1);

        assertThat(future.await(PATIENCE.toMillis())).isTrue();
        assertThatThrownBy(future::get).cause().satisfies(
                cause -> assertThat(LocalShortage.is(cause)).as("%s", cause).isTrue());
        assertThat(database.reachable()).isTrue();
    }
}
