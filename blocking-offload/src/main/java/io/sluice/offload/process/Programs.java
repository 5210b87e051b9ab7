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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs strangers' programs behind an offload pool: each holds one of its workers, and no other thread. */
public final class Programs implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Programs.class);

    private final ProgramConfig config;
    private final Offload offload;
    private final Interpreters interpreters;
    private final LongAdder underWay = new LongAdder();

    /** Starts what is to be warm, in the background. */
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
     * Runs a program. A program that fails, or takes too long, has a result like any other. May be called
     * from any thread and never blocks.
     *
     * @param client for whom it runs
     * @param deadline when it is killed and the future fails, as {@link Offload#submit} has it; beyond the
     *     wall time where a program that takes too long shall have a result
     * @param home where listeners of the returned future are called
     * @param source tells the program, on the worker
     * @return the result, or an {@link java.io.IOException} where no interpreter could be started; cancel it
     *     to kill the program
     */
    public Future<ProgramResult> run(ClientNetwork client, Deadline deadline, EventExecutor home,
                                     Work<Program> source) {
        underWay.increment();
        return offload.<ProgramResult>submit(client, deadline, home, scope -> {
            Program program = source.run(scope);
            try {
                return runOnce(program, scope);
            } catch (IOException e) {
                // The program has not begun: an interpreter that waited for it may have died just now.
                return runOnce(program, scope);
            }
        }).addListener(_ -> underWay.decrement());
    }

    private ProgramResult runOnce(Program program, WorkScope scope) throws IOException, InterruptedException {
        try (Interpreter interpreter = interpreters.take()) {
            return interpreter.run(program.code(), program.input(), scope);
        }
    }

    /**
     * Tries to break out of the sandbox, in a few ways that must not work. Blocks the calling thread, for a
     * tenth of a second.
     *
     * @throws SandboxException where one of them worked, or nothing does
     */
    public void selfTest() throws SandboxException, InterruptedException {
        new SelfTest(config).run();
    }

    /** Whether no program runs or waits for a worker. Exact once none comes any more. */
    public boolean isIdle() {
        return underWay.sum() == 0;
    }

    /** Ends the interpreters that wait, and what still runs; to be called when it is idle. */
    @Override
    public void close() {
        interpreters.close();
    }
}
