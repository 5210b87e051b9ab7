package io.sluice.loadtest;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What the arguments ask for. */
sealed interface CommandLine {

    String USAGE = """
            usage: loadtest <simulation> [options]

            simulations:
                hello              the Hello simulation of field report R1, on /benchmark/hello

            options:
                --url URL          the server under test (default: http://localhost:8080)
                --profile NAME     report: the injection of the field report, 90 s (default)
                                                      short: the same shape in 30 s
                --results DIR      where Gatling writes its reports (default: target/gatling of this module)
                --help             this text

            exit code: 0 when all assertions hold, 2 when one does not or after a mistake in the
            command line, another one when the run could not be finished
            """;

    String SERVER = "http://host:port or https://host:port";
    String FOLDER = "a folder";

    /** The usage is wanted. */
    record Help() implements CommandLine {}

    /** One simulation is to be run; {@code results} is where Gatling makes a folder for it. */
    record Run(Workload workload, RunSettings settings, Path results) implements CommandLine {}

    /**
     * Reads the arguments.
     *
     * @throws UsageException on anything unknown or malformed
     */
    static CommandLine parse(String... args) {
        if (List.of(args).contains("--help")) {
            return new Help();
        }
        var rest = List.of(args).iterator();
        var workload = workload(rest.hasNext() ? rest.next() : "none");
        var url = URI.create("http://localhost:8080");
        var profile = Profile.REPORT;
        var results = ResultsFolder.ofThisModule();
        while (rest.hasNext()) {
            var option = rest.next();
            switch (option) {
                case "--url" -> url = url(value(option, rest, SERVER));
                case "--profile" -> profile = profile(value(option, rest, Profile.names()));
                case "--results" -> results = folder(value(option, rest, FOLDER));
                default -> throw new UsageException(
                        "option", option, "--url, --profile, --results or --help");
            }
        }
        return new Run(workload, new RunSettings(url, profile), results);
    }

    private static String value(String option, Iterator<String> rest, String expected) {
        if (!rest.hasNext()) {
            throw new UsageException(option, "no value", expected);
        }
        return rest.next();
    }

    private static Workload workload(String name) {
        return Workload.named(name)
                .orElseThrow(() -> new UsageException("simulation", name, Workload.names()));
    }

    private static Profile profile(String name) {
        return Profile.named(name)
                .orElseThrow(() -> new UsageException("--profile", name, Profile.names()));
    }

    private static Path folder(String value) {
        try {
            var folder = Path.of(value);
            if (!value.isBlank() && (Files.isDirectory(folder) || Files.notExists(folder))) {
                return folder.toAbsolutePath().normalize();
            }
        } catch (InvalidPathException _) {
            // told below
        }
        throw new UsageException("--results", value, FOLDER);
    }

    /** A server's URL and nothing behind its port: the simulations bring the paths. */
    private static URI url(String value) {
        try {
            var url = new URI(value);
            if (url.getScheme() != null
                    && Set.of("http", "https").contains(url.getScheme().toLowerCase(Locale.ROOT))
                    && url.getHost() != null
                    && url.getPort() >= -1 && url.getPort() != 0 && url.getPort() <= 65_535
                    && Set.of("", "/").contains(url.getPath())
                    && url.getUserInfo() == null && url.getQuery() == null && url.getFragment() == null) {
                return new URI(url.getScheme(), url.getAuthority(), null, null, null);
            }
        } catch (URISyntaxException _) {
            // told below
        }
        throw new UsageException("--url", value, SERVER);
    }
}
