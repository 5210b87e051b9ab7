package io.sluice.offload.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.SocketException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DatabaseProbeTest {
    private static final String URL = "jdbc:stub:probe";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration OFTEN = Duration.ofMillis(100);
    private static final Duration NEVER = Duration.ofHours(1);

    /** The late reply of a silent database. A wait for it ignores interrupts, as reads from a socket do. */
    private final CompletableFuture<Boolean> answer = new CompletableFuture<>();
    /** The reports of the probe in order: true if pooled connections can be trusted. */
    private final List<Boolean> told = new CopyOnWriteArrayList<>();
    private volatile Runnable onTold = () -> { };
    private StubDriver driver;
    private DatabaseProbe probe;

    @BeforeEach
    void registerDriver() throws SQLException {
        driver = new StubDriver(URL);
    }

    @AfterEach
    void close() throws SQLException {
        answer.complete(true);
        if (probe != null) {
            probe.close();
        }
        driver.close();
    }

    @Test
    void constructorAwaitsTheFirstProbe() {
        probe = probe(NEVER);

        assertThat(probe.reachable()).isTrue();
    }

    @Test
    void looksAgainAndAgainOverOneConnection() {
        probe = probe(OFTEN);
        int validations = driver.validations.get();

        await().atMost(PATIENCE).until(() -> driver.validations.get() > validations + 3);

        assertThat(driver.connects).hasValue(1);
        assertThat(driver.closes).hasValue(0);
    }

    @Test
    void replacesAConnectionThatHasBroken() {
        probe = probe(OFTEN);
        var broken = new AtomicBoolean(true);
        driver.onValidate = () -> !broken.getAndSet(false);

        await().atMost(PATIENCE).until(() -> driver.connects.get() == 2);

        probe.close();
        assertThat(driver.closes).hasValue(2);
        assertThat(told).as("whether connections can be trusted").containsExactly(true);
    }

    @Test
    void trustsNoConnectionWhereItsOwnHasFallenSilent() {
        probe = probe(OFTEN);
        var silent = new AtomicBoolean(true);
        driver.onValidate = () -> {
            if (silent.getAndSet(false)) {
                TimeUnit.MILLISECONDS.sleep(1_200); // a driver waits like this for a reply that does not come
                return false;
            }
            return true;
        };

        await().atMost(PATIENCE).until(() -> driver.connects.get() == 2);

        probe.close();
        assertThat(told).as("whether connections can be trusted").containsExactly(true, false, true);
    }

    @Test
    void goesOnLookingAfterAnErrorOfTheDriver() {
        probe = probe(OFTEN);
        driver.onValidate = () -> {
            throw new NoClassDefFoundError("as drivers do");
        };
        driver.onConnect = DatabaseProbeTest::refuse;
        await().atMost(PATIENCE).until(() -> !probe.reachable());

        driver.onConnect = () -> true;

        await().atMost(PATIENCE).until(probe::reachable);
    }

    @Test
    void tellsWhenTheDatabaseGoesAndComes() {
        probe = probe(OFTEN);
        driver.onConnect = DatabaseProbeTest::refuse;
        driver.onValidate = () -> false;
        await().atMost(PATIENCE).until(() -> !probe.reachable());

        driver.onValidate = () -> true;
        driver.onConnect = () -> true;
        await().atMost(PATIENCE).until(probe::reachable);

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(told).containsExactly(true, false, true));
    }

    @Test
    void takesADatabaseThatIsFullForOneThatIsThere() {
        probe = probe(OFTEN);
        var refused = new AtomicInteger();
        driver.onConnect = () -> {
            refused.incrementAndGet();
            throw new SQLException("sorry, too many clients already", "53300");
        };
        driver.onValidate = () -> false;

        await().atMost(PATIENCE).until(() -> refused.get() > 2);

        assertThat(probe.reachable()).isTrue();
    }

    @Test
    void takesADatabaseThatAnswersOthersForOneThatIsThere() {
        probe = probe(OFTEN);
        var refused = new AtomicInteger();
        driver.onConnect = () -> {
            refused.incrementAndGet();
            probe.answered();
            throw new SQLException("login took too long");
        };
        driver.onValidate = () -> {
            probe.answered();
            return false;
        };

        await().atMost(PATIENCE).until(() -> refused.get() > 2);

        assertThat(probe.reachable()).isTrue();
        assertThat(told).containsExactly(true);
    }

    @Test
    void takesALackOfDescriptorsForNoSignOfTheDatabase() {
        assertNoSign(
                new SQLException("it failed", "08001", new SocketException("Too many open files")));
    }

    @Test
    void takesALackOfThreadsForNoSignOfTheDatabase() {
        assertNoSign(new OutOfMemoryError("unable to create native thread"));
    }

    private void assertNoSign(Throwable shortage) {
        probe = probe(OFTEN);
        var refused = new AtomicInteger();
        driver.onConnect = () -> {
            refused.incrementAndGet();
            return raise(shortage);
        };
        driver.onValidate = () -> false;

        await().atMost(PATIENCE).until(() -> refused.get() > 2);
        assertThat(probe.reachable()).isTrue();
        assertThat(probe.probeNow()).isTrue();
        assertThat(told).containsExactly(true);

        driver.onConnect = DatabaseProbeTest::refuse;
        await().atMost(PATIENCE).until(() -> !probe.reachable());
        int before = refused.get();
        driver.onConnect = () -> {
            refused.incrementAndGet();
            return raise(shortage);
        };
        await().atMost(PATIENCE).until(() -> refused.get() > before + 2);
        assertThat(probe.reachable()).as("found gone before").isFalse();
    }

    private static boolean raise(Throwable failure) throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (Exception) failure;
    }

    private static boolean refuse() throws SQLException {
        throw new SQLException("connection refused", "08001");
    }

    @Test
    void comesUpThoughTheDatabaseDoesNotAnswer() {
        driver.onConnect = answer::join;

        probe = probe(Duration.ofMillis(250), OFTEN);
        assertThat(probe.reachable()).isFalse();

        answer.complete(true);
        await().atMost(PATIENCE).until(probe::reachable);
    }

    @Test
    void endsThoughTheDatabaseDoesNotAnswer() {
        probe = probe(OFTEN);
        driver.onValidate = answer::join;
        int before = driver.validations.get();
        await().atMost(PATIENCE).until(() -> driver.validations.get() > before);

        probe.close();

        assertThat(driver.closes).as("still looking").hasValue(0);
        answer.complete(true);
        await().atMost(PATIENCE).until(() -> driver.closes.get() == 1);
    }

    @Test
    void goesOnLookingAfterTheDriverHasThrownWhatItShouldNot() {
        driver.onConnect = () -> {
            throw new IllegalStateException("thrown by the driver");
        };
        probe = probe(OFTEN);
        assertThat(probe.reachable()).isFalse();

        driver.onConnect = () -> true;

        await().atMost(PATIENCE).until(probe::reachable);
    }

    /** The throwable comes from closing the connection, or from the listener of the probe. */
    @Test
    void probeContinuesAfterAnyThrowable() {
        probe = probe(OFTEN);
        driver.onClose = () -> {
            throw new NoClassDefFoundError("as drivers do");
        };
        onTold = () -> {
            throw new AssertionError("of a pool");
        };
        driver.onValidate = () -> false;
        driver.onConnect = DatabaseProbeTest::refuse;
        await().atMost(PATIENCE).until(() -> !probe.reachable());

        driver.onConnect = () -> true;
        driver.onValidate = () -> true;
        await().atMost(PATIENCE).until(probe::reachable);

        onTold = () -> { };
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(told).as("told again").endsWith(true, true));
    }

    @Test
    void looksOnceHoweverManyHaveFoundTheDatabaseGone() {
        probe = probe(NEVER);
        driver.onValidate = answer::join;
        driver.onConnect = DatabaseProbeTest::refuse;
        for (int i = 0; i < 20; i++) {
            probe.probeSoon();
        }
        answer.complete(false);
        await().atMost(PATIENCE).until(() -> !probe.reachable());

        probe.close();

        assertThat(driver.connects).as("the first, and one in vain").hasValue(2);
        assertThat(driver.closes).hasValue(1);
    }

    private DatabaseProbe probe(Duration interval) {
        return probe(PATIENCE, interval);
    }

    private DatabaseProbe probe(Duration timeout, Duration interval) {
        var probe = new DatabaseProbe("stub", DatabaseConfigs.of(URL, timeout, interval));
        probe.awaitFirst();
        probe.watch(trusted -> {
            told.add(trusted);
            onTold.run();
        }, () -> { });
        return probe;
    }
}
