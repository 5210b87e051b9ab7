package io.sluice.handlers;

import io.netty.util.concurrent.Future;
import io.sluice.offload.Offload;
import io.sluice.offload.OffloadException.DeadlineExceeded;
import io.sluice.offload.OffloadException.Refused;
import io.sluice.offload.WorkScope;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the pieces of a response's body by workers, one task at a time, each of which ends when the client is
 * slower: it holds no worker. Confined to the event loop, except for {@link Pieces}.
 */
public final class PieceReads {
    /** The bytes that a worker reads before other tasks get their turn. */
    private static final long TURN = 1 << 20;
    /** The time to wait if no piece can be read at the moment. */
    private static final Duration UNTIL_RETRIED = Duration.ofSeconds(1);

    private final Exchange exchange;
    private final Offload workers;
    private final Pieces pieces;
    private final LongConsumer proceed;
    /** Null unless a worker is reading. */
    private @Nullable Future<Long> reading;
    /** Indicates whether a read is repeated later, from the same position. */
    private boolean waiting;
    private boolean stopped;

    /** Reads pieces, and writes them to the response. */
    @FunctionalInterface
    public interface Pieces {

        /**
         * Reads and writes from one position to another, or until the client is slower or the task is
         * abandoned. On a worker.
         *
         * @return the position behind the last piece
         */
        long write(long from, long until, WorkScope scope) throws Exception;
    }

    /**
     * Creates reads that have not begun.
     *
     * @param proceed called with the position behind what has been read, which may be nothing
     */
    public PieceReads(Exchange exchange, Offload workers, Pieces pieces, LongConsumer proceed) {
        this.exchange = exchange;
        this.workers = workers;
        this.pieces = pieces;
        this.proceed = proceed;
    }

    /** Returns whether a worker is reading, or will: nothing else may change the position. */
    public boolean isReading() {
        return reading != null || waiting;
    }

    /** Begins to read, up to a MiB. A failure fails the exchange. */
    public void begin(long position, long end) {
        var begun = new AtomicBoolean();
        long until = Math.min(end, position + TURN);
        Future<Long> read = workers.submit(exchange.clientNetwork(), exchange.deadline(),
                exchange.eventLoop(),
                scope -> begun.getAndSet(true) ? position : pieces.write(position, until, scope));
        reading = read;
        read.addListener(done -> {
            if (stopped) {
                return;
            }
            reading = null;
            if (done.isSuccess()) {
                proceed.accept(read.getNow());
            } else {
                beginLater(position, done.cause(), begun);
            }
        });
    }

    /**
     * Continues later, until the deadline: the response has begun, so it should not be failed.
     *
     * @param begun whether the read has begun, which then may still write; set here so that it does not begin
     */
    private void beginLater(long position, Throwable obstacle, AtomicBoolean begun) {
        Duration wait = switch (obstacle) {
            case Refused refused when refused.reason() != Refused.Reason.CLOSED -> refused.retryAfter();
            case DeadlineExceeded _ when !begun.getAndSet(true) -> UNTIL_RETRIED; // the pool's, in the queue
            case HttpException e when e.worthRetrying() -> UNTIL_RETRIED;
            default -> null;
        };
        if (wait == null) {
            exchange.fail(obstacle);
        } else {
            waiting = true;
            exchange.eventLoop().schedule(() -> proceedFrom(position), wait.toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    private void proceedFrom(long position) {
        waiting = false;
        if (!stopped) {
            proceed.accept(position);
        }
    }

    /** Cancels a read that has not begun, and calls nothing any more. */
    public void stop() {
        stopped = true;
        if (reading != null) {
            reading.cancel(false);
        }
    }
}
