package io.sluice.offload.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.PoolConfig;
import io.sluice.offload.Deadline;
import io.sluice.offload.Offload;
import io.sluice.offload.PoolObserver;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectionLeaseTest {
    private final EventExecutor home = new DefaultEventExecutor();
    private final Offload offload = Offload.start("test",
            PoolConfig.of(PoolConfig.Kind.PLATFORM, 1, 0, Duration.ofMinutes(1)), PoolObserver.NONE);
    private final Set<ConnectionLease> leases = ConcurrentHashMap.newKeySet();
    private final AtomicInteger aborts = new AtomicInteger();
    private final AtomicInteger closes = new AtomicInteger();
    private final AtomicInteger evictions = new AtomicInteger();
    private volatile boolean broken;
    private final CountDownLatch aborted = new CountDownLatch(1);
    private final CountDownLatch entered = new CountDownLatch(1);
    private final Connection connection = (Connection) Proxy.newProxyInstance(
            Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (_, method, _) -> {
                if (method.getName().equals("close")) {
                    closes.incrementAndGet();
                    if (broken) {
                        throw new SQLException("broken behind a commit");
                    }
                    return null;
                }
                assertThat(method.getName()).isEqualTo("abort");
                aborts.incrementAndGet();
                aborted.countDown();
                throw new SQLException("broken already");
            });

    @AfterEach
    void close() {
        offload.close();
        home.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private Future<Void> use(Duration patience, CountDownLatch until) {
        return offload.submit(Deadline.after(Duration.ofMinutes(1)), home, scope -> {
            try (var _ = new ConnectionLease(connection, scope, patience, leases,
                    _ -> evictions.incrementAndGet())) {
                entered.countDown();
                until.await(); // a commit waits like this for a silent database
            }
            return null;
        });
    }

    @Test
    void aConnectionInUseAfterItsTaskHasEndedIsBroken() throws Exception {
        Future<Void> task = use(Duration.ofMillis(50), aborted);
        entered.await();

        task.cancel(false);

        assertThat(aborted.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aConnectionThatIsGivenBackSoonIsLeftAlone() throws Exception {
        var cancelled = new CountDownLatch(1);
        Future<Void> task = use(Duration.ofMinutes(1), cancelled);
        entered.await();

        task.cancel(false);
        cancelled.countDown();
        offload.close(); // waits for the worker to end

        assertThat(aborts).hasValue(0);
        assertThat(closes).hasValue(1);
        assertThat(leases).isEmpty();
    }

    @Test
    void completedWorkKeepsItsResultIfTheConnectionBreaks() throws Exception {
        broken = true;
        Future<Void> task = use(Duration.ofMinutes(1), new CountDownLatch(0));

        task.sync();

        assertThat(closes).hasValue(1);
        assertThat(leases).isEmpty();
        assertThat(evictions).as("its state may not have been reset").hasValue(1);
    }

    @Test
    void aConnectionInUseCanBeBroken() throws Exception {
        use(Duration.ofMinutes(1), aborted);
        entered.await();

        leases.forEach(ConnectionLease::abort);

        assertThat(aborted.await(30, TimeUnit.SECONDS)).isTrue();
        await().until(leases::isEmpty);
    }

    @Test
    void aConnectionThatWasGivenBackCannotBeBrokenAnyMore() throws Exception {
        var done = new CountDownLatch(0);
        Future<Void> task = use(Duration.ofMinutes(1), done);
        entered.await();
        var lease = List.copyOf(leases);
        task.sync();

        lease.forEach(ConnectionLease::abort);

        assertThat(aborts).hasValue(0);
    }
}
