package io.sluice.gateway;

import io.sluice.config.GatewayConfig;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.config.read.ConfigDiff;
import io.sluice.config.read.ConfigDiff.Change;
import io.sluice.config.read.LoadedConfig;
import io.sluice.config.read.RunningConfig;
import io.sluice.gateway.check.DatabaseCheck;
import io.sluice.gateway.check.MachineCheck;
import io.sluice.gateway.plugin.PluginException;
import io.sluice.gateway.plugin.PluginJars;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Checks a configuration. Prints its routes or, with {@code --against}, the changes that a reload would make
 * in a running gateway. With {@code --database} it also checks the statements of query routes.
 */
final class CheckCommand extends Command {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final ConfigOptions options = new ConfigOptions(this);
    private final OptionSpec against = option(OptionSpec.builder("--against").paramLabel("URL")
            .type(URI.class).description(
                    "Print what a reload would change, and how many sockets and streams it would close, in"
                            + " the gateway whose admin port is there: http://localhost:8081"));
    private final OptionSpec database = option(OptionSpec.builder("--database").type(boolean.class)
            .initialValue(false).description(
                    "Prepare the statement of every query route in its database, without executing it, and"
                            + " report what the database rejects."));

    CheckCommand() {
        super("check", "Check a configuration and print its routes.");
    }

    @Override
    public Integer call() throws PluginException, StartException {
        URI admin = against.getValue();
        if (admin != null && (admin.getHost() == null || admin.getScheme() == null
                || !admin.getScheme().matches("(?i)https?"))) {
            throw mistake("--against %s (expected: the URL of an admin port, such as http://localhost:8081)",
                    admin);
        }
        LoadedConfig loaded = options.source(PluginJars.ofEnvironment()).load();
        GatewayConfig config = loaded.config();
        MachineCheck.check(loaded);
        if (database.<Boolean>getValue()) {
            checkStatements(loaded);
        }
        print(admin == null ? ConfigReport.of(config) : changes(running(admin), config));
        if (database.<Boolean>getValue()) {
            print("statements: accepted by their databases%n".formatted());
        }
        return DONE;
    }

    private static void checkStatements(LoadedConfig loaded) {
        var problems = new ConfigProblems();
        new DatabaseCheck(loaded).addTo(problems);
        if (!problems.isEmpty()) {
            throw problems.toException();
        }
    }

    private static RunningConfig running(URI admin) throws StartException {
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(admin.resolve("/config")).timeout(TIMEOUT).build(),
                    BodyHandlers.ofString());
            return RunningConfig.parse(answer.body());
        } catch (IOException e) {
            throw new StartException("--against %s: no connection (expected: the admin port of a gateway)"
                    .formatted(admin), e);
        } catch (IllegalArgumentException e) {
            throw new StartException(("--against %s: no response to GET /config (expected: the admin port of "
                    + "a gateway)").formatted(admin), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException("interrupted", e);
        }
    }

    private static String changes(RunningConfig running, GatewayConfig next) {
        ConfigDiff diff = running.changesTo(next);
        List<String> restarts = diff.restarts().stream().map(Change::path).toList();
        return "%schanged keys: %d (secrets are not compared); %s%s%n".formatted(diff, diff.changes().size(),
                closed(running.socketsClosedBy(next), running.open()), restarts.isEmpty() ? ""
                        : "; only a restart applies: " + String.join(", ", restarts));
    }

    private static String closed(Map<String, Integer> closing, int open) {
        String routes = closing.entrySet().stream().map(route -> route.getKey() + ": " + route.getValue())
                .collect(Collectors.joining(", ", " (", ")"));
        return "%d of %d WebSockets and event streams would be closed%s".formatted(
                closing.values().stream().mapToInt(Integer::intValue).sum(), open,
                closing.isEmpty() ? "" : routes);
    }
}
