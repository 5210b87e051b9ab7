package io.sluice.offload.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.ProgramConfig.Sandbox;
import org.junit.jupiter.api.Test;

class UnsandboxedProgramsTest extends ProgramsContract {

    UnsandboxedProgramsTest() {
        super(Sandbox.NONE);
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
