package io.sluice.loadtest;

import io.sluice.loadtest.experiments.Experiment;
import io.sluice.loadtest.experiments.Suite;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the arguments ask for. */
sealed interface CommandLine {

    String USAGE = """
            usage: loadtest <simulation> [options]
                   loadtest experiments [name...] [options]
                   loadtest compare [name...] [options]

            simulations, against a server that runs, with how long they take by profile:
            %s
            experiments, each with gateways that it starts itself; without a name, all:
                cold-start         from the start of the process to the first answers
                r4                 a query of 20 ms, on event loops, pinned threads and our pools
                mixed              queries of 5 ms among queries of 200 ms
                isolation          a route that blocks nowhere beside an overloaded one
                overload           from half of what can be done to ten times as much
                slow-attacks       a route beside 2,000 clients who keep the gateway waiting
                row                one row by primary key from a PostgreSQL
                hot-path           a request whose answer costs nothing, beside bare Netty
                ws-echo            a text there and back over WebSockets, beside bare Netty
                ws-idle            10,000 WebSockets on which nothing happens, beside bare Netty
                ws-fan-out         20 messages a second to 5,000 WebSockets, beside bare Netty
                hostile            a neighbour beside each attack of one hostile client
                faults             requests that go on while one part after the other fails
                soak               both by turns: whether memory, descriptors and threads grow

            comparisons of the gateway with bare Netty and with Tomcat, on platform and on virtual threads,
            in one run; without a name, all:
                hello              R1: a greeting, 200/s from a cold start on
                cpu                R1: computations, 70/s from a cold start on
                latency            R1: answers that wait for 50 to 200 ms, 750/s from a cold start on
                keep-alive         R3: 10,000 connections, a request every 10 s on each
                query              R4: a query of 20 ms, 1,000 users, 10 database connections

            options:
                --profile NAME     report (default): as in the field report; all experiments, 54 min,
                                   all comparisons, 25 min
                                   short: in the same shape; all experiments, 5 min, all comparisons, 1 min,
                                   with goals that are told and not judged
                --results DIR      where the reports are written (default: target/gatling,
                                   target/experiments or target/compare of this module)
                --help             this text
            of the experiment soak:
                --duration TIME    45s, 1h (default: 10 min; in the short profile 15 s)
            of simulations:
                --url URL          the server under test (default: http://localhost:8080)
                --duration TIME    in the profile's place: 45s, 8h; what takes a while in the field
                                   report takes as much more or less, at the same rates
                --thresholds FILE  what must hold, as in loadtest/src/main/resources/io/sluice/loadtest/
                                   thresholds.properties, which holds for what FILE does not name
                --token TOKEN      sent as Authorization: Bearer TOKEN
                --admin URL        soak: where the server's /metrics are (default: port 8081 of its host)

            exit code: 0 when all thresholds are kept and goals are reached, 1 when not, 2 after a mistake
            in the command line or a file, 3 when the run could not be finished
            """.formatted(Stream.of(Workload.values())
                    .map(workload -> "    %-12s%-66s%8s%8s%n".formatted(workload, workload.description(),
                            TimeSpan.text(workload.length(Profile.REPORT)),
                            TimeSpan.text(workload.length(Profile.SHORT))))
                    .collect(Collectors.joining()));

    String OPTIONS =
            "--url, --profile, --duration, --thresholds, --token, --admin, --results or --help";
    String EXPECTED = "%s, %s or %s".formatted(
            String.join(", ", Workload.names()), Suite.EXPERIMENTS, Suite.COMPARE);
    String SERVER = "http://host:port or https://host:port";
    String FOLDER = "a folder";
    String TOKEN = "letters, digits and -._~+/=";

    /** The usage is wanted. */
    record Help() implements CommandLine {}

    /** One simulation is to be run; {@code results} is where Gatling makes a folder for it. */
    record Run(RunSettings settings, Path results) implements CommandLine {}

    /**
     * Experiments of a suite are to be run, each once, in this order; {@code length} is that of the soak,
     * where it is not the profile's, {@code results} is where they are written.
     */
    record Experiments(Suite suite, List<Experiment> experiments, Profile profile, Optional<Duration> length,
            Path results) implements CommandLine {

        /** The command that asks for the same, without the folder, which is of no interest to others. */
        String command() {
            return "./sluice loadtest %s %s --profile %s%s".formatted(suite,
                    experiments.stream().map(Experiment::toString).collect(Collectors.joining(" ")), profile,
                    length.map(span -> " --duration " + TimeSpan.written(span)).orElse(""));
        }
    }

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
        var first = rest.hasNext() ? rest.next() : "none";
        return Suite.of(first).<CommandLine>map(suite -> experiments(suite, rest))
                .orElseGet(() -> simulation(workload(first), rest));
    }

    private static Run simulation(Workload workload, Iterator<String> rest) {
        var url = URI.create("http://localhost:8080");
        var admin = Optional.<URI>empty();
        var profile = Profile.REPORT;
        var length = Optional.<Duration>empty();
        var thresholds = Optional.<Thresholds>empty();
        var token = Optional.<String>empty();
        var results = ResultsFolder.ofThisModule("gatling");
        while (rest.hasNext()) {
            var option = rest.next();
            switch (option) {
                case "--url" -> url = url(option, value(option, rest, SERVER));
                case "--admin" -> admin = Optional.of(url(option, value(option, rest, SERVER)));
                case "--profile" -> profile = profile(value(option, rest, Profile.names()));
                case "--duration" -> length = Optional.of(length(value(option, rest, TimeSpan.EXPECTED)));
                case "--thresholds" -> thresholds =
                        ThresholdsFile.read(value(option, rest, ThresholdsFile.EXPECTED)).of(workload);
                case "--token" -> token = Optional.of(token(value(option, rest, TOKEN)));
                case "--results" -> results = folder(value(option, rest, FOLDER));
                default -> throw new UsageException("option", option, OPTIONS);
            }
        }
        return new Run(new RunSettings(workload, url, admin.orElse(adminOf(url)),
                length.orElse(workload.length(profile)),
                thresholds.or(() -> ThresholdsFile.builtIn().of(workload)).orElseThrow(), token), results);
    }

    private static URI adminOf(URI server) {
        return URI.create("http://%s:8081".formatted(server.getHost()));
    }

    private static Experiments experiments(Suite suite, Iterator<String> rest) {
        var wanted = new LinkedHashSet<Experiment>();
        var profile = Profile.REPORT;
        var length = Optional.<Duration>empty();
        var results = ResultsFolder.ofThisModule(suite.toString());
        while (rest.hasNext()) {
            var word = rest.next();
            switch (word) {
                case "--profile" -> profile = profile(value(word, rest, Profile.names()));
                case "--duration" -> length = Optional.of(length(value(word, rest, TimeSpan.EXPECTED)));
                case "--results" -> results = folder(value(word, rest, FOLDER));
                case String option when option.startsWith("-") -> throw new UsageException(
                        "option", option, "--profile, --duration, --results or --help");
                case String name -> wanted.add(experiment(suite, name));
            }
        }
        var chosen = wanted.isEmpty() ? suite.all() : List.copyOf(wanted);
        if (length.isPresent() && !chosen.contains(Experiment.SOAK)) {
            throw new UsageException("--duration", "no soak", "soak among the experiments");
        }
        return new Experiments(suite, chosen, profile, length, results);
    }

    private static String value(String option, Iterator<String> rest, String expected) {
        if (!rest.hasNext()) {
            throw new UsageException(option, "no value", expected);
        }
        return rest.next();
    }

    private static Workload workload(String name) {
        return Workload.named(name).orElseThrow(() -> new UsageException("simulation", name, EXPECTED));
    }

    private static Experiment experiment(Suite suite, String name) {
        return suite.named(name)
                .orElseThrow(() -> new UsageException(suite.member(), name, suite.names()));
    }

    private static Profile profile(String name) {
        return Profile.named(name)
                .orElseThrow(() -> new UsageException("--profile", name, Profile.names()));
    }

    private static Duration length(String value) {
        return TimeSpan.parse(value)
                .orElseThrow(() -> new UsageException("--duration", value, TimeSpan.EXPECTED));
    }

    /** What RFC 6750, section 2.1, lets stand in the header. */
    private static String token(String value) {
        if (!value.matches("[A-Za-z0-9._~+/-]+=*")) {
            throw new UsageException("--token", "malformed", TOKEN);
        }
        return value;
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
    private static URI url(String option, String value) {
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
        throw new UsageException(option, value, SERVER);
    }
}
