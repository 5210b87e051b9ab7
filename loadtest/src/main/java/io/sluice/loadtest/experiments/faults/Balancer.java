package io.sluice.loadtest.experiments.faults;

import io.sluice.loadtest.experiments.wire.WebSocketWire.ClosedException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The load balancer in front of the gateways. It uses them in turn. A request whose connection breaks is
 * repeated up to twice, on a new connection to the next gateway; a request that was answered is never
 * repeated, whatever its status. Thread-safe.
 */
final class Balancer implements AutoCloseable {

    private static final int ATTEMPTS = 3;
    /** The close code of a gateway that is short of a resource (RFC 6455 section 7.4). */
    private static final int TRY_AGAIN_LATER = 1013;

    private final List<Backend> backends;
    private final AtomicInteger turns = new AtomicInteger();
    private final LongAdder repeated = new LongAdder();

    Balancer(List<Backend> backends) {
        this.backends = backends;
    }

    /** Sends a request; blocks for 10 s at most per attempt. */
    Verdict ask(CheckedRequest request) {
        boolean sent = false;
        var last = "";
        int turn = turns.getAndIncrement();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var backend = backends.get(Math.floorMod(turn + attempt, backends.size()));
            Line line;
            try {
                line = backend.line(request.socket(), attempt > 0);
            } catch (ClosedException e) {
                return Verdict.of(e.code(), "handshake: " + e.getMessage());
            } catch (IOException e) {
                last = sent ? last : "not sent: " + e;
                continue;
            }
            if (sent) {
                repeated.increment();
            }
            try {
                var verdict = request.over(line);
                backend.free(line);
                return verdict;
            } catch (SocketTimeoutException e) {
                close(line, backend, request);
                return Verdict.lost("%s: %s".formatted(request, e));
            } catch (IOException e) {
                close(line, backend, request);
                if (e instanceof ClosedException closed && closed.code() == TRY_AGAIN_LATER) {
                    return Verdict.refused(String.valueOf(e.getMessage()));
                }
                last = "%s: %s".formatted(request, e);
                sent = true;
            }
        }
        return sent ? Verdict.lost(last) : Verdict.refused(last);
    }

    private static void close(Line line, Backend backend, CheckedRequest request) {
        try {
            backend.broke(line, request.socket());
        } catch (IOException _) {
            // it is broken
        }
    }

    /** The number of repeated requests so far. */
    long repeated() {
        return repeated.sum();
    }

    @Override
    public void close() throws IOException {
        for (var backend : backends) {
            backend.close();
        }
    }
}
