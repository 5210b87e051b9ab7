package io.sluice.offload.process;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.ProgramConfig;
import io.sluice.config.ProgramConfig.Sandbox;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Deadline;
import io.sluice.offload.Offload;
import io.sluice.offload.Work;
import io.sluice.offload.WorkScope;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs untrusted programs on an offload pool: each takes one of its workers, and no other thread. */
public final class Programs implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Programs.class);

    private final ProgramConfig config;
    private final Offload offload;
    private final Interpreters interpreters;
    private final LongAdder underWay = new LongAdder();

    /** Starts the warm interpreters in the background. */
    public Programs(ProgramConfig config, Offload offload) {
        this.config = config;
        this.offload = offload;
        if (config.sandbox() == Sandbox.NONE) {
            log.warn("sandbox = none: programs run as this user, with its files and its network; only for "
                    + "programs that are trusted");
        }
        interpreters = new Interpreters(config);
    }

    /**
     * Runs a program. A program that fails, or exceeds its wall time, has a result like any other. May be
     * called on any thread and never blocks.
     *
     * @param client the client that requested it
     * @param deadline the time at which the program is killed and the future fails, as with {@link
     *     Offload#submit}; it must exceed the wall time for a program that times out to have a result
     * @param home the executor of the future's listeners
     * @param source creates the program, on the worker
     * @param answer converts the result, on the worker; a buffer is released if the future has failed before
     * @return the converted result, or an {@link java.io.IOException} if no interpreter could be started;
     *     cancelling it kills the program
     */
    public <T> Future<T> run(ClientNetwork client, Deadline deadline, EventExecutor home,
                             Work<Program> source, Function<ProgramResult, T> answer) {
        underWay.increment();
        return offload.<T>submit(client, deadline, home,
                scope -> answer.apply(run(source.run(scope), scope))).addListener(_ -> underWay.decrement());
    }

    private ProgramResult run(Program program, WorkScope scope) throws IOException, InterruptedException {
        try {
            return runOnce(program, scope);
        } catch (IOException e) {
            // The program has not begun: a waiting interpreter may have died just now.
            return runOnce(program, scope);
        }
    }

    private ProgramResult runOnce(Program program, WorkScope scope) throws IOException, InterruptedException {
        try (Interpreter interpreter = interpreters.take()) {
            return interpreter.run(program.code(), program.input(), scope);
        }
    }

    /**
     * Tries to break out of the sandbox in several ways, which must fail. Blocks the calling thread for about
     * a tenth of a second.
     *
     * @throws SandboxException if one of them succeeds, or no program starts
     */
    public void selfTest() throws SandboxException, InterruptedException {
        new SelfTest(config).run();
    }

    /** Returns whether no program runs or waits for a worker; exact once no more are submitted. */
    public boolean isIdle() {
        return underWay.sum() == 0;
    }

    /** Kills the waiting interpreters, and programs that still run; to be called when it is idle. */
    @Override
    public void close() {
        interpreters.close();
    }
}
