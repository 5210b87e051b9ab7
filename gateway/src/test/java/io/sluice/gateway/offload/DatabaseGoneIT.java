package io.sluice.gateway.offload;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.offload.SteadyClient.Answered;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Outages of several databases of one gateway at once. A proxy in front of each database causes its kind of
 * outage. The settings that matter have their defaults, since the guarantees are about these.
 */
class DatabaseGoneIT {
    private static final int WORKERS = 4;
    /** The number of successful answers in a row that count as recovery. */
    private static final int SOME = 50;
    /** Two intervals of the probe, and its timeout. */
    private static final Duration NOTICED_WITHIN = ofSeconds(7);
    private static final String HELLO = """
            sluice.log.access = off
            sluice.database-defaults.connection-timeout = 1s
            sluice.routes.hello { path = "/hello", handler = text, text = hi }
            """;
    private static final String POOL_AND_ROUTE = """
            sluice.offload.pools.%1$s { workers = 4 }
            sluice.databases.%1$s { url = "%2$s", user = "%3$s", password = "%4$s", pool = %1$s }
            sluice.routes.%1$s { path = "/%1$s", handler = query, database = %1$s, sql = "SELECT 1 AS ok" }
            sluice.routes.%1$s-slow {
              path = "/%1$s/slow", handler = query, database = %1$s, sql = "SELECT 1 AS ok FROM pg_sleep(3)"
            }
            """;

    private final PostgresServer postgres = PostgresServer.get();
    private final Map<Outage, OutageProxy> proxies = new EnumMap<>(Outage.class);
    private final Map<Outage, SteadyClient> clients = new EnumMap<>(Outage.class);
    private final List<AutoCloseable> others = new ArrayList<>();
    private RunningGateway gateway;

    @BeforeEach
    void start() throws Exception {
        var config = new StringBuilder(HELLO)
                .append(database("healthy", postgres.url()))
                .append("sluice.databases.healthy.connection-timeout = 20s\n");
        URI uri = URI.create(postgres.url().substring("jdbc:".length()));
        for (Outage kind : Outage.values()) {
            var proxy = new OutageProxy(new InetSocketAddress(uri.getHost(), uri.getPort()));
            proxies.put(kind, proxy);
            config.append(database(name(kind),
                    "jdbc:postgresql://127.0.0.1:" + proxy.port() + uri.getPath() + options(kind)));
        }
        gateway = RunningGateway.start(config.toString());
        for (Outage kind : Outage.values()) {
            clients.put(kind, other(new SteadyClient(gateway.port(), '/' + name(kind), 2)));
            // If the first login is late, HikariCP fills its pool half a minute later.
            awaitConnections(name(kind));
        }
        awaitConnections("healthy");
    }

    private void awaitConnections(String pool) {
        await().atMost(Duration.ofMinutes(2)).until(
                () -> new PoolScrape(gateway.adminPort(), pool).connections() == WORKERS);
    }

    /** Disables TLS for the lost machine: without it, the driver has no timeout for the reply to a login. */
    private static String options(Outage kind) {
        return kind == Outage.LOST ? "?sslmode=disable" : "";
    }

    private static String name(Outage kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private String database(String name, String url) {
        return POOL_AND_ROUTE.formatted(name, url, postgres.user(), postgres.password());
    }

    private <T extends AutoCloseable> T other(T closeable) {
        others.add(closeable);
        return closeable;
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable other : others) {
            other.close();
        }
        proxies.values().forEach(OutageProxy::close);
        if (gateway != null) {
            gateway.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15})
    void requestsOfALostDatabaseFailFastAndRecoverSoon(int seconds) throws Exception {
        var hello = other(new SteadyClient(gateway.port(), "/hello", 1));
        var healthy = other(new SteadyClient(gateway.port(), "/healthy", 2));
        for (Outage kind : Outage.values()) {
            other(new Crowd(gateway.port(), WORKERS / 2))
                    .ask("GET /" + name(kind) + "/slow HTTP/1.1\r\nHost: x\r\n\r\n");
        }
        gateway.getAdmin("/readyz");
        await().pollDelay(ofMillis(500)).until(() -> true); // time for all threads of the gateway to start
        Set<String> threads = threads();
        var softly = new SoftAssertions();

        long begin = System.nanoTime();
        proxies.forEach((kind, proxy) -> proxy.begin(kind));
        long noticed = begin;
        if (seconds > NOTICED_WITHIN.toSeconds()) {
            noticed = assertNoticed(softly, begin);
        }
        waitUntil(begin + ofSeconds(seconds).toNanos());
        List<String> newThreads = new ArrayList<>(threads());
        newThreads.removeAll(threads);
        Map<Outage, Integer> open = new EnumMap<>(Outage.class);
        proxies.forEach((kind, proxy) -> open.put(kind, proxy.open()));
        long end = System.nanoTime();
        proxies.values().forEach(OutageProxy::end);

        await().until(() -> gateway.getAdmin("/readyz").statusCode() == 200);
        clients.forEach((_, client) -> await().until(
                () -> isBack(client.between(end, System.nanoTime()))));
        long back = System.nanoTime();
        clients.forEach((_, client) -> await().until(
                () -> client.between(back, System.nanoTime()).size() > SOME));
        long now = System.nanoTime();

        Map<Boolean, List<String>> forCancels = newThreads.stream()
                .collect(Collectors.partitioningBy(thread -> thread.startsWith("sluice-cancel-")));
        softly.assertThat(forCancels.get(true)).as("threads that cancel, at most one for each worker")
                .hasSizeLessThanOrEqualTo(WORKERS * Outage.values().length);
        softly.assertThat(forCancels.get(false)).as("other threads that came")
                .hasSizeLessThanOrEqualTo(2 * Outage.values().length);
        softly.assertThat(newThreads.stream().filter(thread -> thread.contains("driver connection")).count())
                .as("threads that wait for a login; each is to end before the next but one begins")
                .isLessThanOrEqualTo(4);
        assertAll200(softly, "hello", hello.between(begin, now));
        assertAll200(softly, "the healthy database", healthy.between(begin, now));
        for (Outage kind : Outage.values()) {
            if (noticed != begin) {
                assertFastFailures(softly, kind, clients.get(kind).between(noticed, end));
            }
            assertFewConnections(softly, kind, begin, end, open.get(kind));
            assertAll200(softly, kind + " after the return",
                    clients.get(kind).between(back, now));
            System.out.printf("%s for %d s: answered again %s ms after the return%n", kind, seconds,
                    clients.get(kind).between(end, now).stream().filter(answer -> answer.status() == 200)
                            .mapToLong(answer -> (answer.answered() - end) / 1_000_000).min());
        }
        softly.assertAll();
    }

    /** Returns whether the last answers were all successful. */
    private static boolean isBack(List<Answered> answers) {
        return answers.size() > SOME && answers.subList(answers.size() - SOME, answers.size()).stream()
                .allMatch(answer -> answer.status() == 200);
    }

    private long assertNoticed(SoftAssertions softly, long begin) throws Exception {
        await().atMost(NOTICED_WITHIN.multipliedBy(2)).until(() -> { // twice, for a busy machine
            String ready = gateway.getAdmin("/readyz").body();
            return Set.of(Outage.values()).stream().allMatch(
                    kind -> ready.contains('"' + name(kind) + "\":false"));
        });
        softly.assertThat(gateway.getAdmin("/readyz").statusCode()).as("/readyz meanwhile").isEqualTo(503);
        softly.assertThat(gateway.getAdmin("/readyz").body()).contains("\"healthy\":true");
        long noticed = System.nanoTime();
        System.out.printf("all noticed after %d ms%n", (noticed - begin) / 1_000_000);
        return noticed;
    }

    private static void assertFastFailures(SoftAssertions softly, Outage kind, List<Answered> answers) {
        softly.assertThat(answers).as("%s: asked meanwhile", kind).hasSizeGreaterThan(10);
        softly.assertThat(statuses(answers)).as("%s: statuses meanwhile", kind).containsOnlyKeys(503);
        softly.assertThat(answers).as("%s: Retry-After", kind).allMatch(Answered::retryAfter);
    }

    /** Checks that connection attempts do not pile up: there are a few a second, and they are given up. */
    private void assertFewConnections(SoftAssertions softly, Outage kind, long begin, long end, int open) {
        Map<Long, Long> bySecond = proxies.get(kind).accepted().stream()
                .filter(at -> at - begin >= 0 && at - end <= 0)
                .collect(Collectors.groupingBy(at -> (at - begin) / 1_000_000_000, TreeMap::new,
                        Collectors.counting()));
        System.out.printf("%s: connections accepted in each second %s, open at its end %d%n",
                kind, bySecond, open);
        softly.assertThat(bySecond.values()).as("%s: connections in each second", kind)
                .allSatisfy(count -> assertThat(count)
                        .isLessThanOrEqualTo(4 * WORKERS));
        softly.assertThat(open).as("%s: connections open at the end", kind).isLessThanOrEqualTo(3 * WORKERS);
    }

    private static void assertAll200(SoftAssertions softly, String what, List<Answered> answers) {
        softly.assertThat(answers).as("%s: asked", what).hasSizeGreaterThan(10);
        softly.assertThat(statuses(answers)).as("%s: statuses", what).containsOnlyKeys(200);
    }

    private static Map<Integer, Long> statuses(List<Answered> answers) {
        return answers.stream().collect(
                Collectors.groupingBy(Answered::status, TreeMap::new, Collectors.counting()));
    }

    private static void waitUntil(long nanoTime) {
        await().pollDelay(Duration.ZERO).pollInterval(ofMillis(20))
                .until(() -> System.nanoTime() - nanoTime >= 0);
    }

    /** Returns the names of the platform threads. */
    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(thread -> thread.getName() + '#' + thread.threadId()).collect(Collectors.toSet());
    }
}
