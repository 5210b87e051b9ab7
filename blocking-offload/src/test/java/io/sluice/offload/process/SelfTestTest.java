package io.sluice.offload.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.config.ProgramConfig;
import io.sluice.config.ProgramConfig.Sandbox;
import io.sluice.config.type.ByteSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelfTestTest {
    private static final ProgramConfig SANDBOX =
            ProgramTestBed.config(Sandbox.BUBBLEWRAP, Duration.ofSeconds(1), Duration.ofMillis(1500), 0);

    @Test
    void passesWhereTheSandboxHolds() throws Exception {
        ProgramTestBed.assumeBubblewrap();

        new SelfTest(SANDBOX).run();
    }

    @Test
    void passesWithTheLeastThatAProgramMayHave() throws Exception {
        ProgramTestBed.assumeBubblewrap();

        new SelfTest(new ProgramConfig("python3", Sandbox.BUBBLEWRAP, Duration.ofMillis(10),
                Duration.ofMillis(10), new ByteSize(32 << 20), 1, new ByteSize(0), new ByteSize(0), 0)).run();
    }

    @Test
    void passesWithoutASandboxWhereTheInterpreterWorks() throws Exception {
        new SelfTest(ProgramTestBed.config(Sandbox.NONE, Duration.ofSeconds(1), Duration.ofSeconds(1), 0))
                .run();
    }

    @Test
    void saysThatThereIsNoInterpreter() {
        var config = new ProgramConfig("no-such-python", Sandbox.NONE, Duration.ofSeconds(1),
                Duration.ofSeconds(1), new ByteSize(1 << 28), 16, new ByteSize(1), new ByteSize(1), 0);

        assertThatThrownBy(() -> new SelfTest(config).run()).isInstanceOf(SandboxException.class)
                .hasMessageStartingWith("sandbox: ").hasMessageContaining("no-such-python");
    }

    @Test
    void brokenIsolationIsReported() {
        ProgramTestBed.assumeBubblewrap();
        var command = new ArrayList<>(SandboxCommand.of(SANDBOX));
        command.remove("--unshare-net");
        command.subList(command.lastIndexOf("/proc") - 1, command.lastIndexOf("/proc") + 1).clear();
        command.remove("--clearenv");
        command.addAll(command.indexOf("--proc"),
                List.of("--ro-bind", "/etc", "/etc", "--setenv", "KEY", "x"));

        assertThatThrownBy(() -> new SelfTest(SANDBOX, command).run()).isInstanceOf(SandboxException.class)
                .hasMessageStartingWith("the sandbox does not hold: ")
                .hasMessageContaining("network: ")
                .hasMessageContaining("visible files of the host: /etc/passwd (expected: none)")
                .hasMessageContaining("precedence: oom_score_adj")
                .hasMessageContaining("environment: HOME KEY LANG MALLOC_ARENA_MAX PATH PWD (expected: ");
    }

    @Test
    void saysThatLimitsAreNotThoseThatAreConfigured() {
        ProgramTestBed.assumeBubblewrap();
        var command = new ArrayList<>(SandboxCommand.of(SANDBOX));
        command.set(command.size() - 2, "0");

        assertThatThrownBy(() -> new SelfTest(SANDBOX, command).run()).isInstanceOf(SandboxException.class)
                .hasMessageContaining("limits: ").hasMessageContaining("processes: unbounded");
    }

    @Test
    void saysThatItDoesNotStart() {
        ProgramTestBed.assumeBubblewrap();
        var command = new ArrayList<>(SandboxCommand.of(SANDBOX));
        command.add(command.indexOf("--chdir"), "--no-such-option");

        assertThatThrownBy(() -> new SelfTest(SANDBOX, command).run()).isInstanceOf(SandboxException.class)
                .satisfies(e -> assertThat(e.getMessage()).contains("bwrap: ", "--no-such-option"));
    }
}
