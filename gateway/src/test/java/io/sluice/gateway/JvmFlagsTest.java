package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.SingleThreadIoEventLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JvmFlagsTest {

    /** The JVM ignores the option without a warning if the method does not exist. */
    @ParameterizedTest
    @ValueSource(strings = {"sluice", "docs/operations.md", "deploy/jvm.options", "deploy/sluice.service",
        "loadtest/src/main/java/io/sluice/loadtest/experiments/server/JavaCommand.java"})
    void nameTheLoopOfEventLoopsAsNettyDoes(String file) throws Exception {
        var run = SingleThreadIoEventLoop.class.getDeclaredMethod("run");

        assertThat(Files.readString(Path.of("..", file))).contains(
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=exclude,%s::%s".formatted(
                        run.getDeclaringClass().getName(), run.getName()));
    }
}
