package io.sluice.gateway.lifecycle;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.LifecycleConfig;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.OpenPort;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains the gateway. First it reports not ready, so that load balancers stop sending requests. Then it
 * closes its listeners. Then every connection is closed after its last response, and WebSockets one after
 * the other. Connections that are left at the timeout are closed at once.
 */
public final class Drain {
    private static final Logger log = LoggerFactory.getLogger(Drain.class);

    private final LifecycleConfig config;
    private final Health health;

    /** Creates a drain with the configured times. */
    public Drain(LifecycleConfig config, Health health) {
        this.config = config;
        this.health = health;
    }

    /**
     * Drains listeners; blocks until their connections are gone.
     *
     * @param endless drains responses that have no end of their own, over a time
     */
    public void run(List<OpenPort> listeners, EventLoopGroup workers, Connections connections,
                    Consumer<Duration> endless)
            throws InterruptedException {
        health.enter(Health.State.DRAINING);
        log.info("draining {} connections, for {} s at most", connections.count(),
                config.drainTimeout().toSeconds());
        TimeUnit.MILLISECONDS.sleep(config.unreadyDelay().toMillis());
        listeners.forEach(OpenPort::close);
        // A connection that was accepted just before is still on its way to its worker, and not in
        // connections yet. A worker that hangs, as at a disk, does not keep the others from being drained.
        for (EventExecutor worker : workers) {
            worker.submit(() -> { }).await(1, TimeUnit.SECONDS);
        }
        // Half of the timeout: requests that run when a WebSocket's turn comes may need the rest.
        connections.drain(config.drainTimeout().dividedBy(2));
        endless.accept(config.drainTimeout().dividedBy(2));
        if (!connections.awaitEmpty(config.drainTimeout())) {
            log.warn("drain-timeout has passed: closing {} connections that are still in use",
                    connections.count());
        }
        connections.closeAll();
    }
}
