package io.sluice.gateway;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was asked for on the command line.
 *
 * @param config absent: the demo that ships with Sluice
 * @param overrides of configuration keys
 * @param devCert what is said of a certificate for development
 */
record CommandLine(Command command, Optional<Path> config, Map<String, String> overrides, DevCert devCert) {
    static final String USAGE = """
            Usage: sluice [serve|check|version] [--config FILE] [-Dsluice.KEY=VALUE ...]
                   sluice dev-cert [--host NAME ...] [--dir DIR] [--force]
                   sluice train

              serve      serve (the default); without --config, the demo that ships with Sluice
              check      validate the configuration and print its routes; exit code 0, or 2 if it is wrong
              version    print the version
              dev-cert   make a certificate for development, signed by itself, for this machine
              train      start the demo on free ports, warm it up and stop: what a JVM is to see that
                         writes an AOT cache (-XX:AOTCacheOutput=FILE)

              --config FILE         your configuration, in HOCON; it stands on reference.conf alone and may
                                    include classpath("demo.conf")
              -Dsluice.KEY=VALUE    override one key, such as -Dsluice.server.port=9090; 0 takes any free port
              --host NAME           a name or address that the certificate is for too
              --dir DIR             where it is written, with its key; without it, where you are
              --force               even where there is one already
              --help                print this

            From the environment: CONFIG_FORCE_sluice_server_port=9090 ("_" for a dot, "__" for a dash).
            Stop it with Ctrl-C or SIGTERM: requests in flight are answered first.
            """;

    enum Command { SERVE, CHECK, VERSION, DEV_CERT, TRAIN, HELP }

    /** Options of dev-cert. */
    record DevCert(List<String> hosts, Path dir, boolean force) {
    }

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
        var hosts = new ArrayList<String>();
        Path dir = Path.of("");
        boolean force = false;
        var words = new ArrayDeque<>(Arrays.asList(args));
        while (!words.isEmpty()) {
            String word = words.poll();
            String option = word.startsWith("--") && word.contains("=") ? word.substring(0, word.indexOf('='))
                    : word;
            if (word.startsWith("-D")) {
                override(word.substring(2), overrides);
            } else if (option.equals("--config")) {
                config = Optional.of(Path.of(value(word, option, "a file", words)));
            } else if (command == Command.DEV_CERT && option.equals("--host")) {
                hosts.add(value(word, option, "a name or an address", words));
            } else if (command == Command.DEV_CERT && option.equals("--dir")) {
                dir = Path.of(value(word, option, "a directory", words));
            } else if (command == Command.DEV_CERT && word.equals("--force")) {
                force = true;
            } else if (command == null || word.equals("--help") || word.equals("-h")) {
                command = command(word);
            } else {
                throw new UsageException(word + ": unknown (expected: an option; see sluice --help)");
            }
        }
        return new CommandLine(command == null ? Command.SERVE : command, config, overrides,
                new DevCert(hosts, dir, force));
    }

    private static Command command(String word) throws UsageException {
        return switch (word) {
            case "serve" -> Command.SERVE;
            case "check" -> Command.CHECK;
            case "version", "--version" -> Command.VERSION;
            case "dev-cert" -> Command.DEV_CERT;
            case "train" -> Command.TRAIN;
            case "help", "--help", "-h" -> Command.HELP;
            default -> throw new UsageException(word + ": unknown (expected: serve, check, version, "
                    + "dev-cert, train or an option; see sluice --help)");
        };
    }

    private static String value(String word, String option, String expected, Deque<String> words)
            throws UsageException {
        String value = word.equals(option) ? words.poll() : word.substring(option.length() + 1);
        if (value == null || value.isEmpty()) {
            throw new UsageException("%s: missing (expected: %s)".formatted(option, expected));
        }
        return value;
    }

    private static void override(String definition, Map<String, String> overrides) throws UsageException {
        int equals = definition.indexOf('=');
        if (equals < 1 || !definition.startsWith("sluice.")) {
            throw new UsageException("-D%s (expected: -Dsluice.KEY=VALUE)".formatted(definition));
        }
        overrides.put(definition.substring(0, equals), definition.substring(equals + 1));
    }
}
