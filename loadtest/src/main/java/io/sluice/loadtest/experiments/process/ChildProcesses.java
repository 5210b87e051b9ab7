package io.sluice.loadtest.experiments.process;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * The child processes of this process. When this process is stopped during a run, they are ended, and no more
 * are started.
 */
public final class ChildProcesses {

    private static final Set<Process> RUNNING = new HashSet<>();
    private static boolean ending;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ChildProcesses::endAll, "end-children"));
    }

    private ChildProcesses() {}

    /** Starts a process, under the lock that the shutdown takes too, so that none is missed. */
    public static synchronized Process start(ProcessBuilder builder) throws IOException {
        if (ending) {
            throw new IllegalStateException("this process is ending");
        }
        var process = builder.start();
        RUNNING.add(process);
        return process;
    }

    /** Removes a process that has ended. */
    public static synchronized void ended(Process process) {
        RUNNING.remove(process);
    }

    private static synchronized void endAll() {
        ending = true;
        RUNNING.forEach(Process::destroyForcibly);
    }
}
