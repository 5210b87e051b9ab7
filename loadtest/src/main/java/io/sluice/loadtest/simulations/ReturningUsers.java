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
 * A closed model: users who stay for the length of the run, each on a separate connection. Each one repeats:
 * wait for {@code pause}, send a request, wait for the response.
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
     * 300 ms. As with JMeter's timers, its 120 s start with the first connection, and each connection waits
     * 10 s before its first request: 83,000 requests within 110 s. Shorter runs have as many requests a
     * second, on fewer connections with shorter pauses.
     */
    static ReturningUsers keepAlive(RunSettings run) {
        var users = run.atMost(10_000);
        return new ReturningUsers(run, "keep-alive", "/benchmark/latency?ms=300", run.ramp(users, 60),
                Duration.ofSeconds(10).multipliedBy(users).dividedBy(10_000));
    }

    /**
     * Field report R4: 1,000 users, 50 more a second, whose queries sleep 20 ms in the database. They pause
     * for 1 s after each response. The report does not state the pause, but it follows from all four of its
     * results: by Little's law, 1,000 users at 449.6/s take 2.2 s per round, of which 1.2 s are response
     * time.
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
        // Runs before all users and counts in no figure: the first actions of the driver take longer than a
        // response.
        var rehearsal = scenario("rehearsal").exec(request.silent());
        return List.of(rehearsal.injectOpen(atOnceUsers(1)), scenario(name)
                .exec(asLongAs(_ -> hasTurn()).on(pause(pause), exec(request)))
                .injectOpen(arrival));
    }

    /**
     * Returns whether there is time for another request. As in JMeter, a user whose next request would be
     * after the end leaves at once. If all users left at the end, the last responses would be delayed by the
     * closing of
     * 10,000 connections.
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
