package io.sluice.offload.process;

import io.sluice.config.ProgramConfig;
import io.sluice.config.ProgramConfig.Sandbox;
import io.sluice.config.type.ByteSize;
import io.sluice.offload.Deadline;
import io.sluice.offload.WorkScope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs {@code self-test.py} in the sandbox and compares its findings with the expected ones. */
final class SelfTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String NONE = "none";

    private final ProgramConfig config;
    private final List<String> command;
    /** The configuration with enough time and output for the test. */
    private final ProgramConfig roomy;

    SelfTest(ProgramConfig config) {
        this(config, SandboxCommand.of(config));
    }

    SelfTest(ProgramConfig config, List<String> command) {
        this.config = config;
        this.command = command;
        roomy = new ProgramConfig(config.python(), config.sandbox(), PATIENCE, config.cpuTime(),
                config.memory(), config.processes(), config.fileSize(), new ByteSize(1 << 16), 0);
    }

    void run() throws SandboxException, InterruptedException {
        if (config.sandbox() == Sandbox.NONE) {
            output("print('works')", "");
            return;
        }
        if (Stream.of(SandboxCommand.PATH.split(":")).map(Path::of)
                .noneMatch(folder -> Files.isExecutable(folder.resolve("bwrap")))) {
            throw new SandboxException("sandbox: bwrap is not in " + SandboxCommand.PATH
                    + " (expected: the package bubblewrap is installed, or sandbox = none)");
        }
        Map<String, String> found = found();
        String mistakes = expected().entrySet().stream()
                .filter(probe -> !probe.getValue().equals(found.get(probe.getKey())))
                .map(probe -> "%s: %s (expected: %s)".formatted(probe.getKey(), found.get(probe.getKey()),
                        probe.getValue()))
                .collect(Collectors.joining(", "));
        if (!mistakes.isEmpty()) {
            throw new SandboxException("the sandbox does not hold: " + mistakes);
        }
    }

    private Map<String, String> expected() {
        var expected = new LinkedHashMap<String, String>();
        expected.put("user", SandboxCommand.NOBODY + ":" + SandboxCommand.NOBODY);
        expected.put("capabilities", NONE);
        expected.put("new privileges", NONE);
        expected.put("network", "lo");
        expected.put("visible files of the host", NONE);
        expected.put("writable folders", "/tmp");
        expected.put("environment", "HOME LANG MALLOC_ARENA_MAX PATH PWD");
        expected.put("other processes", NONE);
        expected.put("limits", "%d %d %d %d 64 0".formatted(SandboxCommand.cpuSeconds(config),
                config.memory().bytes(), SandboxCommand.processLimit(config), config.fileSize().bytes()));
        expected.put("limits of the first process", "the same");
        expected.put("precedence", NONE);
        expected.put("processes", "bounded");
        expected.put("unbounded memory and keys", NONE);
        return expected;
    }

    private Map<String, String> found() throws SandboxException, InterruptedException {
        Path canary = null;
        try {
            canary = Files.createTempFile("sluice-self-test", "");
            String input = canary + "\n" + config.processes() + "\n";
            return output(SandboxCommand.resource("self-test.py"), input).lines()
                    .map(line -> line.split("=", 2))
                    .collect(Collectors.toMap(probe -> probe[0],
                            probe -> probe[1].isEmpty() ? NONE : probe[1]));
        } catch (IOException e) {
            throw new SandboxException("sandbox: " + e.getMessage(), e);
        } finally {
            if (canary != null) {
                canary.toFile().delete();
            }
        }
    }

    private String output(String code, String input) throws SandboxException, InterruptedException {
        try (Interpreter interpreter = Interpreter.start(roomy, command)) {
            ProgramResult result = interpreter.run(code.getBytes(StandardCharsets.UTF_8),
                    input.getBytes(StandardCharsets.UTF_8), new Scope(Deadline.after(PATIENCE)));
            if (result.exitCode() != 0) {
                throw new SandboxException("sandbox: a program ended with exit code %d: %s (expected: 0)"
                        .formatted(result.exitCode(), result.stderr().strip()));
            }
            return result.stdout();
        } catch (IOException e) {
            throw new SandboxException("sandbox: " + e.getMessage(), e);
        }
    }

    /** Is never cancelled. */
    private record Scope(Deadline deadline) implements WorkScope {
        @Override
        public boolean isAbandoned() {
            return false;
        }

        @Override
        public long clientGraceNanos() {
            return 0;
        }

        @Override
        public Registration onCancel(Runnable action) {
            return () -> { };
        }
    }
}
