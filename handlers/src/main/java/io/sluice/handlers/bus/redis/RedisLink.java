package io.sluice.handlers.bus.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.offload.Guard;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection to a server open: connects again after it is lost, with growing pauses, and asks
 * whether the server still answers. Confined to the executor of the bus, except for {@link #connection()} and
 * {@link #problem()}.
 *
 * @param <C> the kind of the connection
 */
final class RedisLink<C extends StatefulConnection<String, byte[]>> {
    private static final Logger log = LoggerFactory.getLogger(RedisLink.class);
    private static final Guard GUARD = new Guard(log, "a ping of a server failed; there will be others");
    private static final long MIN_PAUSE_MILLIS = 50;
    private static final long MAX_PAUSE_MILLIS = 5000;
    private static final long PING_MILLIS = 5000;

    private final String name;
    private final String meanwhile;
    private final EventExecutor executor;
    private final Connect<C> connect;
    private final Function<C, CompletionStage<?>> ping;
    private final Listener<C> listener;
    private volatile @Nullable C connection;
    private volatile @Nullable String problem = "not connected yet";
    private @Nullable Future<?> pinging;
    private long pauseMillis = MIN_PAUSE_MILLIS;
    private boolean lostBefore;
    private boolean closed;

    /** Opens a connection. */
    @FunctionalInterface
    interface Connect<C> {
        CompletionStage<C> connect() throws Exception;
    }

    /** Receives the events of connections, on the executor. */
    interface Listener<C> {

        /**
         * Prepares a connection that was opened.
         *
         * @param again whether there was one before
         * @return completes when it can be used
         */
        CompletionStage<?> prepare(C opened, boolean again);

        /** Called when the connection is in use. */
        void opened(C opened);

        /** Called when the connection is lost. */
        void lost();
    }

    /**
     * A link that is not open.
     *
     * @param name of the server and the connection's purpose, for the log
     * @param meanwhile the effect of having no connection, for the log
     * @param ping a command that the server answers
     */
    RedisLink(String name, String meanwhile, EventExecutor executor, Connect<C> connect,
              Function<C, CompletionStage<?>> ping, Listener<C> listener) {
        this.name = name;
        this.meanwhile = meanwhile;
        this.executor = executor;
        this.connect = connect;
        this.ping = ping;
        this.listener = listener;
    }

    /** Returns the connection; null if there is none at the moment. Any thread. */
    @Nullable C connection() {
        return connection;
    }

    /** Returns the reason why there is no connection; null if there is one. Any thread. */
    @Nullable String problem() {
        return problem;
    }

    /** Opens the link. Any thread. */
    void open() {
        executor.execute(this::connect);
    }

    private void connect() {
        if (closed) {
            return;
        }
        try {
            connect.connect().whenCompleteAsync((opened, failure) -> {
                if (failure != null) {
                    failed(failure);
                } else {
                    prepare(opened);
                }
            }, executor);
        } catch (Throwable e) { // a file cannot be read, for example
            failed(e);
        }
    }

    private void prepare(C opened) {
        CompletableFuture<?> prepared;
        try {
            prepared = listener.prepare(opened, lostBefore).toCompletableFuture().copy();
        } catch (Throwable e) {
            prepared = CompletableFuture.failedFuture(e);
        }
        prepared.whenCompleteAsync((_, failure) -> {
            if (failure != null || closed) {
                opened.closeAsync();
                if (failure != null) {
                    failed(failure);
                }
                return;
            }
            use(opened);
        }, executor);
        if (!prepared.isDone()) {
            CompletableFuture<?> waiting = prepared;
            Future<?> timeout = executor.schedule(() -> waiting.completeExceptionally(new TimeoutException(
                    "no answer within %d ms".formatted(PING_MILLIS))), PING_MILLIS, TimeUnit.MILLISECONDS);
            waiting.whenComplete((_, _) -> timeout.cancel(false));
        }
    }

    private void use(C opened) {
        problem = null;
        connection = opened;
        try {
            opened.addListener(new RedisConnectionStateListener() {
                @Override
                public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
                    executor.execute(() -> lost(opened));
                }
            });
            if (lostBefore || pauseMillis > MIN_PAUSE_MILLIS) {
                log.info("{}: connected", name);
            }
            var pings = new Pings(opened);
            pinging = executor.scheduleWithFixedDelay(() -> GUARD.run(pings), PING_MILLIS, PING_MILLIS,
                    TimeUnit.MILLISECONDS);
            listener.opened(opened);
        } catch (Throwable e) {
            opened.closeAsync();
            if (drop(opened)) {
                failed(e);
                listener.lost();
            }
        }
        if (!opened.isOpen()) {
            lost(opened);
        }
    }

    /** Ends the use of a connection; returns false if it was not in use. */
    private boolean drop(C used) {
        if (connection != used) {
            return false;
        }
        connection = null;
        lostBefore = true;
        stopPinging();
        return true;
    }

    /**
     * Closes a connection whose server does not answer. An error of the server is an answer; a ping that the
     * driver rejects, as too many commands wait, is not.
     */
    private final class Pings implements Runnable {
        private final C pinged;
        private @Nullable CompletableFuture<Void> last;

        Pings(C pinged) {
            this.pinged = pinged;
        }

        @Override
        public void run() {
            CompletableFuture<Void> before = last;
            CompletableFuture<Void> now = CompletableFuture.completedFuture(pinged)
                    .thenCompose(to -> ping.apply(to).thenAccept(_ -> { }));
            last = now;
            if (before != null && (!before.isDone() || isRejected(before) && isRejected(now))) {
                log.warn("{}: no answer within {} ms; reconnecting", name, PING_MILLIS);
                reconnect();
            }
        }

        private static boolean isRejected(CompletableFuture<Void> ping) {
            return ping.isCompletedExceptionally()
                    && !(ping.exceptionNow() instanceof RedisCommandExecutionException);
        }
    }

    /** Closes the connection, and opens another. On the executor. */
    void reconnect() {
        C open = connection;
        if (open != null) {
            lost(open);
            open.closeAsync();
        }
    }

    private void lost(C gone) {
        if (drop(gone)) {
            problem = "the connection was lost";
            log.warn("{}: the connection was lost; reconnecting", name);
            pauseMillis = MIN_PAUSE_MILLIS;
            connectLater();
            listener.lost();
        }
    }

    private void failed(Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause() : failure;
        Throwable root = cause.getCause() == null ? cause : cause.getCause();
        String before = problem;
        String text = root.getMessage() == null ? root.toString() : root.getMessage();
        problem = text;
        if (!text.equals(before)) {
            log.warn("{}: cannot connect: {}; {}; next attempt within {} s: check that the server runs, and "
                    + "url, username and password-file of the bus", name, text, meanwhile,
                    MAX_PAUSE_MILLIS / 1000);
        }
        connectLater();
    }

    private void connectLater() {
        long pause = ThreadLocalRandom.current().nextLong(pauseMillis / 2, pauseMillis + 1);
        pauseMillis = Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS);
        executor.schedule(this::connect, pause, TimeUnit.MILLISECONDS);
    }

    private void stopPinging() {
        if (pinging != null) {
            pinging.cancel(false);
            pinging = null;
        }
    }

    /** Closes the link for good. On the executor; the result completes when the connection is closed. */
    CompletableFuture<Void> close() {
        closed = true;
        stopPinging();
        C open = connection;
        connection = null;
        problem = "closed";
        return open == null ? CompletableFuture.completedFuture(null) : open.closeAsync();
    }
}
