package io.sluice.loadtest.experiments.rows;

import io.sluice.loadtest.experiments.bench.Timing;
import io.sluice.loadtest.experiments.server.RowDatabase;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * Measures how fast PostgreSQL gives the rows of {@link RowLoad#TEN_THOUSAND} as JSON to as many clients that
 * count its bytes: {@code COPY (SELECT row_to_json(t) ...) TO STDOUT}.
 */
final class CopyRate {

    private static final String COPY = "COPY (SELECT row_to_json(t) FROM (SELECT id, name, price FROM items"
            + " WHERE id > %d ORDER BY id LIMIT 10000) t) TO STDOUT";

    private final LongAdder bytes = new LongAdder();

    private CopyRate() {}

    /** Returns bytes per second; blocks while clients are warmed up and measured. */
    static double measure(RowDatabase database, Timing timing)
            throws IOException, SQLException, InterruptedException {
        var rate = new CopyRate();
        var clients = new ArrayList<CopyClient>();
        try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
            try {
                var running = new ArrayList<Future<?>>();
                for (int n = 0; n < RowLoad.TEN_THOUSAND.connections(); n++) {
                    var client = CopyClient.start(database);
                    clients.add(client);
                    running.add(threads.submit(() -> {
                        client.run(CopyRate::statement, rate.counter());
                        return null;
                    }));
                }
                double result = rate.perSecond(timing);
                for (var client : running) {
                    requireRunning(client);
                }
                return result;
            } finally {
                for (var client : clients) {
                    client.close();
                }
            }
        }
    }

    private static String statement() {
        return copy(ThreadLocalRandom.current().nextInt(1, RowLoad.TEN_THOUSAND.ids() + 1));
    }

    /** The statement that copies the rows behind an id. */
    static String copy(int after) {
        return COPY.formatted(after);
    }

    private OutputStream counter() {
        return new OutputStream() {
            @Override
            public void write(int value) {
                bytes.increment();
            }

            @Override
            public void write(byte[] some, int offset, int length) {
                bytes.add(length);
            }
        };
    }

    private double perSecond(Timing timing) throws InterruptedException {
        Thread.sleep(timing.settle()); // a warm-up is defined by its time, like a measured phase
        long start = System.nanoTime();
        long before = bytes.sum();
        Thread.sleep(timing.measured());
        return (bytes.sum() - before) * 1e9 / (System.nanoTime() - start);
    }

    private static void requireRunning(Future<?> client) throws InterruptedException {
        if (client.isDone()) {
            try {
                client.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(
                        "a COPY by %s failed: %s".formatted(CopyClient.name(), e.getCause()), e.getCause());
            }
        }
    }
}
