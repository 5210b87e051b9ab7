package io.sluice.offload.process;

import static io.sluice.offload.process.ProgramTestBed.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.ProgramConfig.Sandbox;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WarmInterpretersTest {
    private static final int WARM = 2;

    /** Programs without a sandbox, so that an interpreter that waits is one process. */
    private final ProgramTestBed bed = new ProgramTestBed(
            ProgramTestBed.config(Sandbox.NONE, ProgramTestBed.PATIENCE, Duration.ofSeconds(1), WARM));

    /** Waits until all are Python: the command that starts one is two processes for a moment. */
    private List<Path> awaitWarm() {
        eventually(() -> assertThat(bed.processes()).hasSize(WARM).allSatisfy(process ->
                assertThat(process.resolve("comm")).content().startsWith("python")));
        return bed.processes();
    }

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void asManyWaitAsConfiguredAndEndWithTheGateway() {
        awaitWarm();

        close(); // checks that no process is left
    }

    @Test
    void eachRunsOneProgramAndIsReplaced() throws Exception {
        var pids = new HashSet<String>();
        for (int i = 0; i < 5; i++) {
            List<Path> warm = awaitWarm();
            String pid = bed.run("import os; print(os.getppid())").stdout().strip();
            assertThat(warm).contains(Path.of("/proc", pid));
            pids.add(pid);
        }

        assertThat(pids).hasSize(5);
    }

    @Test
    void oneThatDiedWhileItWaitedIsPassedOver() throws Exception {
        awaitWarm().forEach(process ->
                ProcessHandle.of(Long.parseLong(process.getFileName().toString())).orElseThrow()
                        .destroyForcibly());
        bed.eventuallyNoProcesses();

        assertThat(bed.run("print('runs')").stdout()).isEqualTo("runs\n");
        awaitWarm();
    }

    @Test
    void ctrlCIsForTheGateway() {
        awaitWarm();

        bed.eventuallySessionsOfTheirOwn();
    }
}
