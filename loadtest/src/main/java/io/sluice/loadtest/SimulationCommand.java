package io.sluice.loadtest;

import io.sluice.loadtest.simulations.Profile;
import io.sluice.loadtest.simulations.RunSettings;
import io.sluice.loadtest.simulations.TimeSpan;
import io.sluice.loadtest.simulations.Workload;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Runs one simulation against a server: {@code loadtest hello --url http://localhost:8080}. */
@Command
final class SimulationCommand implements Callable<Integer> {

    private final Workload workload;
    private final PrintStream out;

    @Option(names = "--url", paramLabel = "URL", converter = Arguments.ServerUrl.class,
            defaultValue = "http://localhost:8080",
            description = "The server under test (default: ${DEFAULT-VALUE}).")
    private URI url;

    @Option(names = "--admin", paramLabel = "URL", converter = Arguments.ServerUrl.class,
            description = "Its admin port, whose /metrics soak reads (default: port 8081 of the same host).")
    private Optional<URI> admin;

    @Option(names = "--token", paramLabel = "TOKEN", converter = Arguments.Token.class,
            description = "Sent as Authorization: Bearer TOKEN.")
    private Optional<String> token;

    @Option(names = "--thresholds", paramLabel = "FILE", description =
            "What must hold, in the format of loadtest/src/main/resources/io/sluice/loadtest/"
                    + "thresholds.properties, which holds for simulations that FILE does not name.")
    private Optional<String> thresholds;

    @Mixin
    private RunOptions options;

    private SimulationCommand(Workload workload, PrintStream out) {
        this.workload = workload;
        this.out = out;
    }

    static CommandSpec spec(Workload workload, PrintStream out) {
        var spec = CommandSpec.forAnnotatedObject(new SimulationCommand(workload, out));
        spec.usageMessage().description("%s; takes %s, short %s.".formatted(workload.description(),
                TimeSpan.text(workload.length(Profile.REPORT)),
                TimeSpan.text(workload.length(Profile.SHORT))));
        return spec.name(workload.toString());
    }

    @Override
    public Integer call() throws IOException {
        var settings = settings();
        var load = workload.load(settings);
        var finished = GatlingRun.of(load, settings, results());
        var summary = new Summary(settings, finished, RunLog.read(finished.folder()), load.findings());
        out.print(summary);
        return summary.kept() ? LoadTest.OK : LoadTest.NOT_REACHED;
    }

    Path results() {
        return options.results("gatling");
    }

    RunSettings settings() {
        return new RunSettings(workload, url,
                admin.orElseGet(() -> URI.create("http://%s:8081".formatted(url.getHost()))),
                options.length().orElse(workload.length(options.profile())),
                thresholds.flatMap(file -> ThresholdsFile.read(file).of(workload))
                        .or(() -> ThresholdsFile.builtIn().of(workload)).orElseThrow(), token);
    }
}
