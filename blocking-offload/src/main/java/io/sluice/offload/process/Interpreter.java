package io.sluice.offload.process;

import io.sluice.config.ProgramConfig;
import io.sluice.config.ProgramConfig.Sandbox;
import io.sluice.offload.WorkScope;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A started interpreter in its sandbox. It takes one program and ends with it. Whoever has it runs that on
 * one thread, without others; and closes it, whatever happens.
 */
final class Interpreter implements AutoCloseable {
    /** How often output is taken while the program runs; its end is noticed at once. */
    private static final int POLL_MILLIS = 5;
    /** How long it takes at most until something that is killed has ended. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int KILLED = 128 + 9;
    private static final int CPU_TIME_IS_OVER = 128 + 24;
    /** What {@code bootstrap.py} writes before the program: one byte. */
    private static final int READY = 1;

    private final ProgramConfig config;
    private final Process process;

    private Interpreter(ProgramConfig config, Process process) {
        this.config = config;
        this.process = process;
    }

    /**
     * Starts one. In a sandbox it dies with the calling thread: for Linux a thread is its parent, not the
     * process.
     *
     * @throws IOException where the command cannot be started
     */
    static Interpreter start(ProgramConfig config, List<String> command) throws IOException {
        var builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(SandboxCommand.environment(config));
        builder.directory(SandboxCommand.TEMPORARY.toFile());
        return new Interpreter(config, builder.start());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Runs a program; blocks until it has ended, and in a sandbox all that it has started.
     *
     * @throws IOException where its interpreter or its sandbox did not come up
     */
    ProgramResult run(byte[] code, byte[] input, WorkScope scope) throws IOException, InterruptedException {
        var stdout = new Output(process.getInputStream(), READY + config.output().intBytes());
        var stderr = new Output(process.getErrorStream(), config.output().intBytes());
        try (var _ = scope.onCancel(this::kill)) {
            long start = System.nanoTime();
            handOver(code, input);
            boolean expired = !awaitEnd(stdout, stderr, start + config.wallTime().toNanos());
            boolean flood = stdout.isFlood() || stderr.isFlood();
            int exitCode = expired || flood ? endByKilling() : process.exitValue();
            stdout.drain();
            stderr.drain();
            Duration duration = Duration.ofNanos(System.nanoTime() - start);
            if (stdout.isEmpty() && !expired && !scope.isAbandoned()) {
                throw new IOException("no interpreter: " + stderr.text(0).strip() + " (exit code " + exitCode
                        + "; expected: " + config.python() + " starts)");
            }
            return new ProgramResult(exitCode, stdout.text(stdout.isEmpty() ? 0 : READY), stderr.text(0),
                    expired || exitCode == CPU_TIME_IS_OVER, stdout.isTruncated() || stderr.isTruncated(),
                    duration);
        }
    }

    /** The interpreter takes all of it before the program begins. */
    private void handOver(byte[] code, byte[] input) {
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write((code.length + " " + input.length + "\n").getBytes(StandardCharsets.US_ASCII));
            stdin.write(code);
            stdin.write(input);
        } catch (IOException e) {
            // It has ended: its exit code and its words tell why.
        }
    }

    /** Says whether it ended by then, or has been writing far too much. */
    private boolean awaitEnd(Output stdout, Output stderr, long until)
            throws IOException, InterruptedException {
        while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            stdout.drain();
            stderr.drain();
            if (stdout.isFlood() || stderr.isFlood()) {
                return true;
            }
            if (System.nanoTime() - until >= 0) {
                return false;
            }
        }
        return true;
    }

    private int endByKilling() throws InterruptedException {
        kill();
        process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        return KILLED;
    }

    /** Ends it and all that it has started. Without a sandbox, what has left its parents is not found. */
    void kill() {
        if (!process.isAlive()) {
            return;
        }
        if (config.sandbox() == Sandbox.NONE) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
        } else if (killFirstOfNamespace()) {
            return;
        }
        process.toHandle().destroyForcibly(); // Process.destroyForcibly would close what is still to be read
    }

    /**
     * Kills bubblewrap's child: the kernel kills the rest of its namespace, and bubblewrap ends by itself. If
     * that were killed instead, its child would be left to the host's first process, which in a container may
     * not care; and if killed too soon, it would leave half a sandbox that waits for ever (bubblewrap#633).
     */
    private boolean killFirstOfNamespace() {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (process.isAlive() && System.nanoTime() - giveUp < 0) {
            List<ProcessHandle> first = process.children().toList();
            first.forEach(ProcessHandle::destroyForcibly);
            if (!first.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        kill();
        for (AutoCloseable stream : List.of(process.getOutputStream(), process.getInputStream(),
                process.getErrorStream())) {
            try {
                stream.close();
            } catch (Exception e) {
                // The pipe's other end has gone before.
            }
        }
    }
}
