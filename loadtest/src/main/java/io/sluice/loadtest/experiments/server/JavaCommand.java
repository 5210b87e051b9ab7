package io.sluice.loadtest.experiments.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The JVM for measured servers: the program of this one, with the launcher's options. */
final class JavaCommand {

    private JavaCommand() {}

    /** A command line with these last arguments. */
    static List<String> of(String... words) {
        var command = new ArrayList<String>();
        command.add(ProcessHandle.current().info().command()
                .orElseGet(() -> Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-XX:+UseCompactObjectHeaders",
                "-XX:+ExitOnOutOfMemoryError", "-XX:InitialRAMPercentage=0.2",
                "-XX:MinHeapFreeRatio=10", "-XX:MaxHeapFreeRatio=30", "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=exclude,io.netty.channel.SingleThreadIoEventLoop::run"));
        command.addAll(Optional.ofNullable(System.getenv("SLUICE_JAVA_OPTS")).stream()
                .flatMap(options -> List.of(options.strip().split("\\s+")).stream())
                .filter(option -> !option.isEmpty())
                .toList());
        command.addAll(List.of(words));
        return command;
    }
}
