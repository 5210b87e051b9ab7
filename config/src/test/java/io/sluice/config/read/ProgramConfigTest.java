package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import io.sluice.config.ProgramConfig;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.config.type.ByteSize;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgramConfigTest {

    @Test
    void bindsByItsComponentsNames() {
        String text = """
                python = python3.13
                sandbox = none
                wall-time = 10s
                cpu-time = 1500ms
                memory = 256MiB
                processes = 16
                file-size = 1MiB
                output = 64KiB
                warm = 2
                """;

        ConfigObject program = ConfigFactory.parseString(text).root();
        ProgramConfig config = new ConfigBinder(program,
                new DefaultSections(program, program, Plugins.NONE), Plugins.NONE, new ConfigProblems())
                .bind(ProgramConfig.class, program, "programs");

        assertThat(config).isEqualTo(new ProgramConfig("python3.13", ProgramConfig.Sandbox.NONE,
                Duration.ofSeconds(10), Duration.ofMillis(1500), new ByteSize(256 << 20), 16,
                new ByteSize(1 << 20), new ByteSize(1 << 16), 2));
    }
}
