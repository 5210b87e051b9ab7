package io.sluice.loadtest.simulations;

import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;
import java.util.List;

/**
 * Users who stay, each on a connection of its own: until the run has
 * lasted its length each waits for {@code pause}, sends a request, gets the answer, and so on.
 */
final class ReturningUsers implements SimulatedLoad {

    private final RunSettings settings;
    private final String name;
    private final String path;
    private final OpenInjectionStep arrival;
    private final Duration pause;
    private volatile long end;

    private ReturningUsers(
            RunSettings settings, String name, String path, OpenInjectionStep arrival, Duration pause) {
        if (settings.length().compareTo(pause) <= 0) {
            throw new UsageException("--duration", TimeSpan.text(settings.length()),
                    "more than the %s for which each user waits before a request"
                            .formatted(TimeSpan.text(pause)));
        }
        this.settings = settings;
        this.name = name;
        this.path = path;
        this.arrival = arrival;
        this.pause = pause;
    }

    /**
     * Field report R3: 10,000 connections that are kept open, a request every 10 s on each, answered after
     * 300 ms. Its 120 s are counted from the first connection on, and a connection's first request comes
     * 10 s after it, as JMeter's timers and durations have it: so come its 83,000 requests in 110 s. Shorter
     * runs have as many requests a second, on fewer connections with shorter pauses.
     */
    static ReturningUsers keepAlive(RunSettings run) {
        var users = run.atMost(10_000);
        return new ReturningUsers(run, "keep-alive", "/benchmark/latency?ms=300", run.ramp(users, 60),
                Duration.ofSeconds(10).multipliedBy(users).dividedBy(10_000));
    }

    /**
     * Field report R4: 1,000 users, 50 more a second, for whom the database sleeps 20 ms. They wait a second
     * between answer and request. The report does not say so, but all four of its lines do: by Little's law
     * 1,000 users who are served 449.6/s have 2.2 s for each round, and wait 1.2 s of that for an answer.
     */
    static ReturningUsers query(RunSettings run) {
        return new ReturningUsers(run, "query", "/benchmark/jdbc?ms=20", run.ramp(1_000, 20),
                Duration.ofSeconds(1));
    }

    @Override
    public void begin() {
        end = System.nanoTime() + settings.length().toNanos();
    }

    @Override
    public List<PopulationBuilder> populations() {
        var request = http(name).get(settings.at(path)).check(status().is(200));
        // Before them all, and in no figure: what the driver does first takes longer than an answer.
        var rehearsal = scenario("rehearsal").exec(request.silent());
        return List.of(rehearsal.injectOpen(atOnceUsers(1)), scenario(name)
                .exec(asLongAs(_ -> hasTurn()).on(pause(pause), exec(request)))
                .injectOpen(arrival));
    }

    /**
     * Whose next request would come behind the end leaves at once, as JMeter has it. Were all to leave in the
     * end, answers that come then would wait for ten thousand farewells.
     */
    private boolean hasTurn() {
        return end - System.nanoTime() >= pause.toNanos();
    }

    @Override
    public HttpProtocolBuilder protocol(HttpProtocolBuilder common) {
        var keptOpen = common.connectionHeader("keep-alive").disableFollowRedirect();
        var addresses = LoopbackAddresses.towards(settings.url());
        return addresses.isEmpty() ? keptOpen : keptOpen.localAddresses(addresses);
    }
}
