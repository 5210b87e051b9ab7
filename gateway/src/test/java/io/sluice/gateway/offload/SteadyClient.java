package io.sluice.gateway.offload;

import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that repeats a request on a few connections, and records the answers. Its threads are virtual, and
 * so do not count as threads of the gateway.
 */
public final class SteadyClient implements AutoCloseable {
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private final Queue<Answered> answers = new ConcurrentLinkedQueue<>();
    private final int port;
    private final byte[] request;
    private volatile boolean closed;

    /** An answer. The times are on the clock of {@link System#nanoTime()}. */
    public record Answered(long asked, long answered, int status, boolean retryAfter) {
        boolean askedWithin(long from, long to) {
            return asked - from >= 0 && answered - to <= 0;
        }
    }

    /** Opens the connections. */
    public SteadyClient(int port, String target, int connections) {
        this.port = port;
        request = ("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes();
        for (int i = 0; i < connections; i++) {
            Thread.ofVirtual().start(this::ask);
        }
    }

    private void ask() {
        while (!closed) {
            try (var client = new RawClient(port)) {
                while (!closed) {
                    long asked = System.nanoTime();
                    client.send(request);
                    RawClient.Answer answer = client.read();
                    answers.add(new Answered(asked, System.nanoTime(), answer.status(),
                            answer.header("retry-after") != null));
                    LockSupport.parkNanos(PAUSE); // a steady rate, not the highest possible
                }
            } catch (IOException e) {
                answers.add(new Answered(System.nanoTime(), System.nanoTime(), 0, false));
                LockSupport.parkNanos(PAUSE); // also after a failure
            }
        }
    }

    /** Returns the answers to requests that were sent and answered between these times. */
    public List<Answered> between(long from, long to) {
        return answers.stream().filter(answer -> answer.askedWithin(from, to)).toList();
    }

    @Override
    public void close() {
        closed = true;
    }
}
