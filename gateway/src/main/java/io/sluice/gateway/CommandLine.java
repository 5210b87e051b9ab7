package io.sluice.gateway;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was asked for on the command line.
 *
 * @param config absent: the demo that ships with Sluice
 * @param overrides of configuration keys
 */
record CommandLine(Command command, Optional<Path> config, Map<String, String> overrides) {
    static final String USAGE = """
            Usage: sluice [serve|check|version] [--config FILE] [-Dsluice.KEY=VALUE ...]

              serve      serve (the default); without --config, the demo that ships with Sluice
              check      validate the configuration and print its routes; exit code 0, or 2 if it is wrong
              version    print the version

              --config FILE         your configuration, in HOCON; it stands on reference.conf alone and may
                                    include classpath("demo.conf")
              -Dsluice.KEY=VALUE    override one key, such as -Dsluice.server.port=9090; 0 takes any free port
              --help                print this

            From the environment: CONFIG_FORCE_sluice_server_port=9090 ("_" for a dot, "__" for a dash).
            Stop it with Ctrl-C or SIGTERM: requests in flight are answered first.
            """;

    enum Command { SERVE, CHECK, VERSION, HELP }

    /** Words that mean nothing here. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }

    static CommandLine parse(String... args) throws UsageException {
        Command command = null;
        Optional<Path> config = Optional.empty();
        var overrides = new HashMap<String, String>();
        var words = new ArrayDeque<>(Arrays.asList(args));
        while (!words.isEmpty()) {
            String word = words.poll();
            if (word.startsWith("-D")) {
                override(word.substring(2), overrides);
            } else if (word.equals("--config") || word.startsWith("--config=")) {
                String file = word.contains("=") ? word.substring(word.indexOf('=') + 1) : words.poll();
                if (file == null || file.isEmpty()) {
                    throw new UsageException("--config: missing (expected: a file)");
                }
                config = Optional.of(Path.of(file));
            } else if (command == null) {
                command = command(word);
            } else {
                throw new UsageException(word + ": unknown (expected: an option; see sluice --help)");
            }
        }
        return new CommandLine(command == null ? Command.SERVE : command, config, overrides);
    }

    private static Command command(String word) throws UsageException {
        return switch (word) {
            case "serve" -> Command.SERVE;
            case "check" -> Command.CHECK;
            case "version", "--version" -> Command.VERSION;
            case "help", "--help", "-h" -> Command.HELP;
            default -> throw new UsageException(
                    word + ": unknown (expected: serve, check, version or an option; see sluice --help)");
        };
    }

    private static void override(String definition, Map<String, String> overrides) throws UsageException {
        int equals = definition.indexOf('=');
        if (equals < 1 || !definition.startsWith("sluice.")) {
            throw new UsageException("-D%s (expected: -Dsluice.KEY=VALUE)".formatted(definition));
        }
        overrides.put(definition.substring(0, equals), definition.substring(equals + 1));
    }
}
