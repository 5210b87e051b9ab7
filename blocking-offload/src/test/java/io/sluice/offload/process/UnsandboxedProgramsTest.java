package io.sluice.offload.process;

import io.sluice.config.ProgramConfig.Sandbox;

class UnsandboxedProgramsTest extends ProgramsContract {

    UnsandboxedProgramsTest() {
        super(Sandbox.NONE);
    }
}
