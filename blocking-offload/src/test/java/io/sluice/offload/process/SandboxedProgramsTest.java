package io.sluice.offload.process;

import io.sluice.config.ProgramConfig.Sandbox;
import org.junit.jupiter.api.BeforeAll;

class SandboxedProgramsTest extends ProgramsContract {

    SandboxedProgramsTest() {
        super(Sandbox.BUBBLEWRAP);
    }

    @BeforeAll
    static void needsBubblewrap() {
        ProgramTestBed.assumeBubblewrap();
    }
}
