package io.sluice.loadtest.experiments.server;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * The processes that must not outlive this one: where it is told to stop in the middle of a run, they are
 * ended, and no more are started.
 */
final class ChildProcesses {

    private static final Set<Process> RUNNING = new HashSet<>();
    private static boolean ending;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ChildProcesses::endAll, "end-children"));
    }

    private ChildProcesses() {}

    /** Starts one under the same lock that the end takes, so that none slips through. */
    static synchronized Process start(ProcessBuilder builder) throws IOException {
        if (ending) {
            throw new IllegalStateException("this process is ending");
        }
        var process = builder.start();
        RUNNING.add(process);
        return process;
    }

    /** One has ended by itself. */
    static synchronized void ended(Process process) {
        RUNNING.remove(process);
    }

    private static synchronized void endAll() {
        ending = true;
        RUNNING.forEach(Process::destroyForcibly);
    }
}
