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
 * Started interpreters. Whoever takes one orders one first, and gets what was ordered longest ago: so as many
 * are warm as were ordered in the beginning, and never more.
 */
final class Interpreters implements AutoCloseable {
    private final ProgramConfig config;
    private final List<String> command;
    /** One thread that lives as long as this: sandboxes die with the thread that has started them. */
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
     * One that has never been used, for the caller to close. Blocks, for a few milliseconds, while it is
     * started.
     *
     * @throws IOException where none can be started
     */
    Interpreter take() throws IOException {
        // What has waited may have failed, or been ended by whomever, long ago: the last one is fresh.
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
                    throw new IOException(e.getCause().getMessage(), e.getCause());
                }
            }
        }
    }

    /** Ends those that wait. */
    @Override
    public void close() {
        starter.shutdown();
        for (var order = ordered.poll(); order != null; order = ordered.poll()) {
            try {
                order.join().close();
            } catch (CompletionException e) {
                // It was not started.
            }
        }
    }
}
