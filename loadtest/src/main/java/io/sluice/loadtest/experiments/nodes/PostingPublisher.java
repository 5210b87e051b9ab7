package io.sluice.loadtest.experiments.nodes;

import io.sluice.loadtest.experiments.wire.HttpAnswer;
import io.sluice.loadtest.experiments.wire.Traffic;
import io.sluice.loadtest.experiments.wire.Wire;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A publisher that must not lose a message: it sends one to a topic regularly, by POST with an idempotency
 * key, and repeats it with the same key at the next gateway until it is answered with 200. On a virtual
 * thread.
 */
final class PostingPublisher {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long PAUSE_MILLIS = 100;

    private final IntUnaryOperator ports;
    private final TopicLedger ledger;
    private final long gap;
    private final Thread thread;
    private int node;
    private @Nullable Wire wire;
    private final AtomicLong repeated = new AtomicLong();
    private volatile boolean ended;

    /**
     * Starts at once.
     *
     * @param ports as for {@link Follower}
     * @param first the number of the gateway that it uses first
     * @param delay of the first message, in ns
     * @param gap from one message to the next, in ns
     */
    PostingPublisher(IntUnaryOperator ports, int first, TopicLedger ledger, long delay, long gap) {
        this.ports = ports;
        node = first;
        this.ledger = ledger;
        this.gap = gap;
        thread = Thread.ofVirtual().name("publisher").start(() -> run(System.nanoTime() + delay));
    }

    private void run(long begin) {
        try {
            long next = begin;
            for (int number = 0; !ended; number++, next += gap) {
                TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
                if (!ended) {
                    publish("p" + number);
                }
            }
        } catch (InterruptedException _) {
            // it is given up
        } finally {
            disconnect();
        }
    }

    private void publish(String message) throws InterruptedException {
        ledger.sending(message);
        while (!isPublished(message)) {
            repeated.incrementAndGet();
            node++;
            disconnect();
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        ledger.confirmed(message);
    }

    private boolean isPublished(String message) {
        try {
            var open = wire;
            if (open == null) {
                open = Wire.open("127.0.0.1", ports.applyAsInt(node), 0, new Traffic()).patience(PATIENCE);
                wire = open;
            }
            open.send("""
                    POST /topics/%s HTTP/1.1\r
                    Host: localhost\r
                    Idempotency-Key: %s\r
                    Content-Type: text/plain\r
                    Content-Length: %d\r
                    \r
                    %s""".formatted(ledger.topic(), message, message.length(), message));
            return HttpAnswer.read(open).status() == 200;
        } catch (IOException _) {
            return false;
        }
    }

    private void disconnect() {
        try (var _ = wire) {
            wire = null;
        } catch (IOException _) {
            // it is closed
        }
    }

    /** The number of requests that were sent once more. */
    long repeated() {
        return repeated.get();
    }

    /** Ends it after the message that is under way. */
    void end() {
        ended = true;
    }

    /** Blocks until it has ended; a message without an answer until then is given up. */
    void await(Duration patience) throws InterruptedException {
        if (!thread.join(patience)) {
            thread.interrupt();
            thread.join();
        }
    }
}
