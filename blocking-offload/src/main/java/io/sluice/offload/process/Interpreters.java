package io.sluice.offload.process;

import io.sluice.config.ProgramConfig;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A queue of interpreters that have been started in advance. Each {@link #take} first orders a new one, and
 * then gets the oldest: so the number of warm interpreters stays as configured.
 */
final class Interpreters implements AutoCloseable {
    private final ProgramConfig config;
    private final List<String> command;
    /**
     * A single thread that lives as long as this object, as sandboxes die with the thread that started them.
     */
    private final ExecutorService starter = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("sluice-program-starter").daemon().factory());
    private final Queue<CompletableFuture<Interpreter>> ordered = new ConcurrentLinkedQueue<>();

    Interpreters(ProgramConfig config) {
        this.config = config;
        command = SandboxCommand.of(config);
        for (int i = 0; i < config.warm(); i++) {
            order();
        }
    }

    private void order() {
        var order = new CompletableFuture<Interpreter>();
        starter.execute(() -> {
            try {
                order.complete(Interpreter.start(config, command));
            } catch (Throwable e) {
                order.completeExceptionally(e);
            }
        });
        ordered.add(order);
    }

    /**
     * Returns an unused interpreter, to be closed by the caller. Blocks for a few milliseconds while one is
     * started.
     *
     * @throws IOException if none can be started
     */
    Interpreter take() throws IOException {
        // A waiting one may have failed, or have been killed, long ago; the last one is fresh.
        for (int waited = config.warm(); ; waited--) {
            order();
            try {
                Interpreter interpreter = ordered.remove().join();
                if (waited == 0 || interpreter.isAlive()) {
                    return interpreter;
                }
                interpreter.close();
            } catch (CompletionException e) {
                if (waited == 0) {
                    Throwable cause = e.getCause() == null ? e : e.getCause();
                    throw new IOException(cause.getMessage(), cause);
                }
            }
        }
    }

    /** Kills the waiting interpreters. */
    @Override
    public void close() {
        starter.shutdown();
        for (var order = ordered.poll(); order != null; order = ordered.poll()) {
            try {
                order.join().close();
            } catch (CompletionException e) {
                // The start of this interpreter has failed.
            }
        }
    }
}
