package io.sluice.handlers.upstream.check;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.sluice.config.upstream.HealthConfig;
import io.sluice.handlers.upstream.connect.Connector;
import io.sluice.handlers.upstream.connect.Opening;
import io.sluice.handlers.upstream.connect.TcpConnector;
import io.sluice.offload.Guard;
import io.sluice.offload.LocalShortage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Active checks of one endpoint, each on a connection of its own, which is opened as those of requests are.
 * Runs on an event loop that serves no clients, so that busy ones do not make endpoints look slow.
 */
public final class HealthCheck implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HealthCheck.class);
    private static final Guard GUARD = new Guard(log, "a health check failed to begin; others follow");
    private static final int MAX_CONNECT_MILLIS = 60_000;

    private final HealthConfig config;
    private final EventLoop loop;
    private final Target target;
    private final Connector connector;
    private final Listener listener;
    /** Passed checks in a row, or failed ones as a negative number. */
    private int streak;
    /** Null before the first check and after the end. */
    private @Nullable Future<?> next;
    /** The check under way; null if there is none. */
    private @Nullable Check current;
    private boolean closed;

    /**
     * The target of the checks.
     *
     * @param h2c whether the endpoint speaks HTTP/2 without negotiation
     */
    public record Target(TcpConnector.Target endpoint, boolean h2c) {
    }

    /** Receives the results of checks, on the event loop. */
    public interface Listener {
        /** Called with each check that makes at least {@code up-after} passed ones in a row. */
        void passed();

        /** Called with each check that makes at least {@code down-after} failed ones in a row. */
        void failed();
    }

    private HealthCheck(HealthConfig config, EventLoop loop, Bootstrap client, Target target,
                        Listener listener) {
        this.config = config;
        this.loop = loop;
        this.target = target;
        this.listener = listener;
        Bootstrap limited = client.clone().disableResolver().option(ChannelOption.CONNECT_TIMEOUT_MILLIS,
                (int) Math.min(MAX_CONNECT_MILLIS, config.timeout().toMillis()));
        connector = new TcpConnector(target.endpoint(), loop, limited, config.timeout());
    }

    /** Starts checks, the first at once. */
    public static HealthCheck start(HealthConfig config, EventLoop loop, Bootstrap client, Target target,
                                    Listener listener) {
        var check = new HealthCheck(config, loop, client, target, listener);
        loop.execute(check::check);
        return check;
    }

    private void check() {
        if (closed) {
            return;
        }
        long nanos = config.interval().toNanos();
        long jittered = nanos + ThreadLocalRandom.current().nextLong(-nanos / 10, nanos / 10 + 1);
        next = loop.schedule(this::check, jittered, TimeUnit.NANOSECONDS);
        if (current == null // otherwise timeout is longer than interval
                && target.endpoint().addresses().preferred() != null) {
            current = new Check();
            current.begin();
        }
    }

    /** One check, from its connection to its result. */
    private final class Check implements Connector.User {
        private final long endNanos = loop.ticker().nanoTime() + config.timeout().toNanos();
        private Opening opening = Opening.DONE;
        /** Null while the connection is being opened, which has the same time limit. */
        private @Nullable Future<?> late;

        void begin() {
            run(() -> opening = connector.connect(null, this));
        }

        /** Runs a step. If it throws, the check ends without a result: the endpoint has done nothing. */
        private void run(Runnable step) {
            if (!GUARD.run(step)) {
                stop();
            }
        }

        @Override
        public void connected(Channel channel, boolean http2) {
            run(() -> request(channel, http2));
        }

        private void request(Channel channel, boolean http2) {
            late = loop.schedule(() -> end(false), endNanos - loop.ticker().nanoTime(), TimeUnit.NANOSECONDS);
            channel.closeFuture().addListener(_ -> end(false));
            var request = new HealthRequest(target.endpoint().url(), config.path(), this::end);
            if (http2 || target.h2c()) {
                request.sendByHttp2(channel, config.timeout());
            } else {
                request.sendByHttp1(channel);
            }
        }

        /** Ends a check without a connection. A shortage of this host says nothing about the endpoint. */
        @Override
        public void failed(@Nullable Throwable cause) {
            current = null;
            if (!LocalShortage.is(cause)) {
                count(false);
            }
        }

        /** Ends the check; a further call does nothing. */
        private void end(boolean passed) {
            if (stop()) {
                count(passed);
            }
        }

        /** Stops the check; returns false if it has ended already. */
        private boolean stop() {
            if (current != this) {
                return false;
            }
            current = null;
            if (late != null) {
                late.cancel(false);
            }
            opening.cancel();
            return true;
        }
    }

    private void count(boolean passed) {
        streak = passed ? Math.max(0, streak) + 1 : Math.min(0, streak) - 1;
        if (closed) {
            return;
        }
        if (streak >= config.upAfter()) {
            listener.passed();
        } else if (-streak >= config.downAfter()) {
            listener.failed();
        }
    }

    @Override
    public void close() {
        loop.execute(() -> {
            closed = true;
            if (next != null) {
                next.cancel(false);
            }
            if (current != null) {
                current.end(false);
            }
        });
    }
}
