package io.sluice.offload.source;

import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Messages on their way to a sink. Confined to the thread of a source.
 *
 * @param <P> the places of messages in the database
 */
final class HandOver<P> {
    /** The pause before a message is offered again to a busy sink. */
    private static final long PAUSE_MILLIS = 100;

    private final MessageSink sink;
    private final Duration deadline;
    private final StopSignal stop;
    private final List<Sent<P>> sent = new ArrayList<>();
    /** By topic, the key of the last message in flight. */
    private final Map<String, String> last = new HashMap<>();
    private long bytes;
    /** The time for which this batch has waited for the sink to accept messages. */
    private long pausedMillis;

    /**
     * A message that was handed over.
     *
     * @param place its place in the database
     * @param taken succeeds when the sink has it
     */
    record Sent<P>(P place, Future<?> taken) {
    }

    /**
     * Creates a hand-over without messages in flight.
     *
     * @param deadline the longest wait until the sink has all messages of a batch
     * @param stop ends waits for the sink to accept a message
     */
    HandOver(MessageSink sink, Duration deadline, StopSignal stop) {
        this.sink = sink;
        this.deadline = deadline;
        this.stop = stop;
    }

    /**
     * Hands a message over, as soon as the sink accepts it.
     *
     * @return false if it has not within the deadline: then the batch ends before this message
     * @throws SourceException if it was refused at once: then no later one of its topic may be handed over
     */
    boolean send(P place, Message message) throws SourceException, InterruptedException {
        Future<?> taken = offer(message);
        while (taken == null) {
            if (pausedMillis >= deadline.toMillis() || stop.isGiven()) {
                return false;
            }
            stop.await(PAUSE_MILLIS);
            pausedMillis += PAUSE_MILLIS;
            taken = offer(message);
        }
        sent.add(new Sent<>(place, taken));
        last.put(message.topic(), message.key());
        bytes += message.size();
        if (taken.isDone() && !taken.isSuccess()) {
            throw refused(taken.cause());
        }
        return true;
    }

    /** Returns the failure of a batch whose first message the sink has not accepted in time. */
    SourceException tooSlow() {
        return new SourceException("subscribers are too slow for more messages, and have been for "
                + pausedMillis + " ms", null);
    }

    private @Nullable Future<?> offer(Message message) throws SourceException {
        try {
            return sink.accept(message.after(last.get(message.topic())));
        } catch (RuntimeException e) {
            throw refused(e);
        }
    }

    /** Waits until the sink has all messages. */
    void await() throws SourceException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(deadline.toMillis() - pausedMillis);
        for (Sent<P> each : sent) {
            if (!each.taken.await(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                throw new SourceException("topics did not take %d messages within %s ms (source.deadline)"
                        .formatted(sent.size(), deadline.toMillis()), null);
            }
            if (!each.taken.isSuccess()) {
                throw refused(each.taken.cause());
            }
        }
    }

    private static SourceException refused(@Nullable Throwable cause) {
        return new SourceException("topics did not take a message: " + cause, cause);
    }

    /** Returns the messages that were handed over, in this order. */
    List<Sent<P>> sent() {
        return sent;
    }

    /** Returns whether so many messages, or so many bytes, are on their way. */
    boolean isFull(int rows, long size) {
        return sent.size() >= rows || bytes >= size;
    }

    /** Forgets all messages that were handed over. */
    void clear() {
        sent.clear();
        last.clear();
        bytes = 0;
        pausedMillis = 0;
    }
}
