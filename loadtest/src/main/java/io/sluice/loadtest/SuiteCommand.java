package io.sluice.loadtest;

import io.sluice.loadtest.experiments.Experiment;
import io.sluice.loadtest.experiments.Experiments;
import io.sluice.loadtest.experiments.Suite;
import io.sluice.loadtest.experiments.bench.Timing;
import io.sluice.loadtest.simulations.TimeSpan;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs experiments of a suite, each once and in this order: {@code loadtest experiments r4 row}. */
@Command
final class SuiteCommand implements Callable<Integer> {

    private final Suite suite;
    private final PrintStream out;
    private final PositionalParamSpec names;

    @Mixin
    private RunOptions options;

    @Spec
    private CommandSpec spec;

    private SuiteCommand(Suite suite, PrintStream out) {
        this.suite = suite;
        this.out = out;
        names = PositionalParamSpec.builder().paramLabel("NAME").arity("0..*").type(List.class)
                .auxiliaryTypes(String.class).initialValue(List.of())
                .completionCandidates(suite.all().stream().map(Experiment::toString).toList())
                .description("What to run (default: all).").build();
    }

    static CommandSpec spec(Suite suite, PrintStream out) {
        var command = new SuiteCommand(suite, out);
        var spec = CommandSpec.forAnnotatedObject(command).addPositional(command.names);
        spec.usageMessage().description(suite.description()).footerHeading("%nNames:%n")
                .footer(suite.all().stream()
                        .map(experiment -> "  %-21s  %s".formatted(experiment, experiment.description()))
                        .toArray(String[]::new));
        return spec.name(suite.toString());
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var experiments = experiments();
        var timing = switch (options.profile()) {
            case SHORT -> Timing.SHORT;
            case REPORT -> Timing.REPORT;
        };
        var outcome = Experiments.run(suite, experiments, timing, options.length(),
                options.results(suite.toString()), command(), out);
        return switch (outcome) {
            case REACHED -> LoadTest.OK;
            case MISSED -> LoadTest.NOT_REACHED;
            case UNFINISHED -> LoadTest.CRASHED;
        };
    }

    List<Experiment> experiments() {
        List<String> wanted = names.getValue();
        var experiments = wanted.isEmpty() ? suite.all()
                : wanted.stream().distinct().map(this::named).toList();
        if (options.length().isPresent() && !experiments.contains(Experiment.SOAK)) {
            throw mistake("--duration", "no soak", "soak among the experiments");
        }
        return experiments;
    }

    private Experiment named(String name) {
        return suite.named(name).orElseThrow(() -> mistake("NAME", name, suite.names()));
    }

    private ParameterException mistake(String what, String value, String expected) {
        return new ParameterException(spec.commandLine(),
                "%s: %s (expected: %s)".formatted(what, value, expected));
    }

    /** The equivalent command without the folder, for the report. */
    String command() {
        return "./sluice loadtest %s %s --profile %s%s".formatted(suite,
                experiments().stream().map(Experiment::toString).collect(Collectors.joining(" ")),
                options.profile(),
                options.length().map(span -> " --duration " + TimeSpan.written(span)).orElse(""));
    }
}
