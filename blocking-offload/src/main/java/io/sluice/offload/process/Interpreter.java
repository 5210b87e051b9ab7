package io.sluice.offload.process;

import io.sluice.config.ProgramConfig;
import io.sluice.config.ProgramConfig.Sandbox;
import io.sluice.offload.WorkScope;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A started interpreter in its sandbox, which runs one program and ends with it. Not thread-safe except for
 * {@link #kill}; its owner runs the program on one thread, and must close it.
 */
final class Interpreter implements AutoCloseable {
    /** The interval of reading output while the program runs; its end is noticed at once. */
    private static final int POLL_MILLIS = 5;
    /** The longest time until a killed process has ended. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int KILLED = 128 + 9;
    /** The output of {@code bootstrap.py} before the program. */
    private static final byte READY = 0x06;
    /** Its output when all processes of the program have ended. */
    private static final byte ENDED = 0x04;
    /** The same for a program whose CPU time was over. */
    private static final byte CPU_TIME_IS_OVER = 0x18;

    private final ProgramConfig config;
    private final Process process;

    private Interpreter(ProgramConfig config, Process process) {
        this.config = config;
        this.process = process;
    }

    /**
     * Starts an interpreter. In a sandbox it dies with the calling thread: on Linux its parent is that
     * thread, not the process.
     *
     * @throws IOException if the command cannot be started
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
     * Runs a program. Blocks until it and all its child processes have ended.
     *
     * @throws IOException if the interpreter or its sandbox did not start
     */
    ProgramResult run(byte[] code, byte[] input, WorkScope scope) throws IOException, InterruptedException {
        var stdout = new Output(process.getInputStream(), 1 + config.output().intBytes());
        var stderr = new Output(process.getErrorStream(), config.output().intBytes());
        try (var _ = scope.onCancel(this::kill)) {
            long start = System.nanoTime();
            handOver(code, input);
            boolean expired = !awaitEnd(stdout, stderr, start + config.wallTime().toNanos(), scope);
            boolean flood = stdout.isFlood() || stderr.isFlood();
            int exitCode = expired || flood ? endByKilling(stdout, stderr) : process.exitValue();
            stdout.drain();
            stderr.drain();
            Duration duration = Duration.ofNanos(System.nanoTime() - start);
            boolean cpuTimeIsOver = !flood && stdout.removeEnd(CPU_TIME_IS_OVER);
            if (!flood && !cpuTimeIsOver) {
                stdout.removeEnd(ENDED); // it is missing if the first process was killed
            }
            boolean begun = stdout.startsWith(READY);
            if (!begun && !expired && !scope.isAbandoned()) {
                throw new IOException("no interpreter: " + stderr.text(0).strip() + " (exit code " + exitCode
                        + "; expected: " + config.python() + " starts)");
            }
            return new ProgramResult(exitCode, stdout.text(begun ? 1 : 0), stderr.text(0),
                    expired || cpuTimeIsOver, stdout.isTruncated() || stderr.isTruncated(), duration);
        }
    }

    /** The interpreter reads all of it before the program begins. */
    private void handOver(byte[] code, byte[] input) {
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write((code.length + " " + input.length + "\n").getBytes(StandardCharsets.US_ASCII));
            stdin.write(code);
            stdin.write(input);
        } catch (IOException e) {
            // The interpreter has ended; its exit code and error output show the reason.
        }
    }

    /**
     * Returns true if the process has ended in time, or has written far too much; false if the time is over,
     * or nobody needs the result: its first process may need long to end on a busy machine, or be stopped.
     */
    private boolean awaitEnd(Output stdout, Output stderr, long until, WorkScope scope)
            throws IOException, InterruptedException {
        while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            stdout.drain();
            stderr.drain();
            if (stdout.isFlood() || stderr.isFlood()) {
                return true;
            }
            if (scope.isAbandoned() || System.nanoTime() - until >= 0) {
                return false;
            }
        }
        return true;
    }

    /** Reads meanwhile: {@code bootstrap.py} writes at the end, which would wait while the pipe is full. */
    private int endByKilling(Output stdout, Output stderr) throws IOException, InterruptedException {
        kill();
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS) && System.nanoTime() - giveUp < 0) {
            stdout.drain();
            stderr.drain();
        }
        if (config.sandbox() == Sandbox.NONE) {
            killAll();
        }
        return KILLED;
    }

    /**
     * Kills the first process, which has had the time to kill what the program leaves, and before it all that
     * is left: that would get another parent. A process may start others until it is killed.
     */
    private void killAll() {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        var killed = new HashSet<ProcessHandle>();
        boolean found = true;
        try {
            while (found && process.isAlive() && System.nanoTime() - giveUp < 0) {
                List<ProcessHandle> left = process.descendants().filter(killed::add).toList();
                left.forEach(ProcessHandle::destroyForcibly);
                found = !left.isEmpty();
            }
        } finally {
            process.toHandle().destroyForcibly();
        }
    }

    /**
     * Kills the child process of the started command, which then ends by itself. In a sandbox the child is
     * the first process of the namespace, whose end makes the kernel kill all others. Without a sandbox it is
     * the program, and {@code bootstrap.py} kills what the program leaves. Bubblewrap itself must not be
     * killed: the child's parent would be the host's init process, which in a container may ignore it; and
     * too early, half a sandbox would wait for ever (bubblewrap#633).
     */
    void kill() {
        boolean hasChild = config.sandbox() != Sandbox.NONE;
        long giveUp = System.nanoTime() + (hasChild ? PATIENCE.toNanos() : 0);
        while (process.isAlive()) {
            List<ProcessHandle> children = process.children().toList();
            children.forEach(ProcessHandle::destroyForcibly);
            if (!children.isEmpty()) {
                return;
            }
            if (System.nanoTime() - giveUp >= 0) {
                process.toHandle().destroyForcibly(); // Process.destroyForcibly would close its unread output
                return;
            }
        }
    }

    @Override
    public void close() {
        kill();
        for (AutoCloseable stream : List.of(process.getOutputStream(), process.getInputStream(),
                process.getErrorStream())) {
            try {
                stream.close();
            } catch (Exception e) {
                // The other end of the pipe was closed before.
            }
        }
    }
}
