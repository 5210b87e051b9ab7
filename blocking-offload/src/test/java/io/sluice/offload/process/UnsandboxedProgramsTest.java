package io.sluice.offload.process;

import static io.sluice.offload.process.ProgramTestBed.LONG;
import static io.sluice.offload.process.ProgramTestBed.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.Future;
import io.sluice.config.ProgramConfig.Sandbox;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class UnsandboxedProgramsTest extends ProgramsContract {

    UnsandboxedProgramsTest() {
        super(Sandbox.NONE);
    }

    /** The stopped process stands for one that gets no CPU on a busy machine. */
    @Test
    void cancelKillsAllIfTheFirstProcessIsStopped() throws Exception {
        try (var bed = new ProgramTestBed(ProgramTestBed.config(Sandbox.NONE, LONG, LONG, 0))) {
            Future<ProgramResult> future = bed.submit("""
                    import os, signal
                    first = os.getppid()
                    os.fork()
                    os.kill(first, signal.SIGSTOP)
                    while True: pass
                    """);
            eventually(() -> assertThat(bed.processes()).anySatisfy(process ->
                    assertThat(Files.readString(process.resolve("stat"))).contains(") T ")));

            future.cancel(true);
            bed.eventuallyIdle();
            bed.eventuallyNoProcesses();
        }
    }

    /** It has the pipes, which a JVM reads to the end when a process has ended. */
    @Test
    void aDaemonThatOutlivesItsProgramIsKilled() throws Exception {
        try (var bed = ProgramTestBed.start(Sandbox.NONE)) {
            String pid = bed.output("""
                    import subprocess
                    subprocess.run(['sh', '-c', 'setsid sleep 1000 & echo $!'])
                    """);

            assertThat(ProcessHandle.of(Long.parseLong(pid))).isEmpty();
        }
    }
}
