package io.sluice.gateway.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.Containers;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.offload.SteadyClient.Answered;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** A primary with a replica that takes its place, as two databases of one gateway under load. */
class FailoverIT {
    private static final int SOME = 20;
    /** Usually 10 ms to 2 s: a request finds each dead connection, and the login of its successor is due. */
    private static final Duration BACK_WITHIN = Duration.ofSeconds(10);
    private static final String READ = "SELECT count(*) AS n FROM orders";
    private static final String CONFIG = """
            sluice.log.access = off
            sluice.offload.pools { shop { workers = 8 }, shop-reads { workers = 8 } }
            sluice.database-defaults { user = "%1$s", password = "%2$s", connection-timeout = 10s }
            sluice.databases {
              shop { pool = shop, url = "%3$s", properties.targetServerType = primary }
              shop-reads { pool = shop-reads, url = "%3$s", session.read-only = true
                properties.targetServerType = preferSecondary }
            }
            sluice.routes {
              write { path = /write, handler = query, database = shop, write-on-get = true
                sql = "INSERT INTO orders DEFAULT VALUES" }
              read { path = /read, handler = query, database = shop-reads
                sql = "%4$s" }
              where { path = /where, handler = query, database = shop-reads, single = true
                sql = "SELECT pg_is_in_recovery() AS replica" }
            }
            """;

    @Test
    void writesGoOnAtTheReplicaThatIsPromotedAndReadsHardlyNotice() throws Exception {
        try (ReplicatedPostgres postgres = Containers.startOrSkip(ReplicatedPostgres::new);
                    var primary = new OutageProxy(
                            new InetSocketAddress(postgres.host(), postgres.primaryPort()));
                    var replica = new OutageProxy(
                            new InetSocketAddress(postgres.host(), postgres.replicaPort()))) {
            postgres.execute(postgres.primaryPort(), "CREATE TABLE orders (id SERIAL)");
            await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
                postgres.execute(postgres.replicaPort(), "SELECT id FROM orders");
                return true;
            });
            String url = "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/%s".formatted(primary.port(),
                    replica.port(), postgres.name());
            try (var gateway = startAtReplica(CONFIG.formatted(
                            postgres.user(), postgres.password(), url, READ));
                    var writes = new SteadyClient(gateway.port(), "/write", 4);
                    var reads = new SteadyClient(gateway.port(), "/read", 4)) {
                awaitAnswers(writes, System.nanoTime());
                awaitAnswers(reads, System.nanoTime());

                assertThat(postgres.sessions(postgres.replicaPort(), READ)).isPositive();
                int readsAtPrimary = postgres.sessions(postgres.primaryPort(), READ);
                long dead = System.nanoTime();
                primary.begin(Outage.REFUSED);
                postgres.execute(postgres.replicaPort(), "SELECT pg_promote()");
                long promoted = System.nanoTime();
                long back = awaitAnswers(writes, promoted);
                assertThat(Duration.ofNanos(back - promoted)).as("dead connections have left the pool")
                        .isLessThan(BACK_WITHIN);
                awaitAnswers(writes, back);
                awaitAnswers(reads, back);
                long end = System.nanoTime();

                report("writes", writes, dead, promoted, end);
                report("reads", reads, dead, promoted, end);
                assertThat(writes.between(back, end)).as("once one was done").allMatch(FailoverIT::isDone);
                // Connections that prefer the replica may be at the primary, as some on a busy machine are.
                assertThat(reads.between(dead, end)).as("the replica was there all the time")
                        .filteredOn(answer -> !isDone(answer)).hasSizeLessThanOrEqualTo(readsAtPrimary);
            }
        }
    }

    /**
     * Starts a gateway that reads at the replica. If the replica takes long to accept a login, the driver
     * falls back to the primary, and the connection stays there; then another gateway is started.
     */
    private static RunningGateway startAtReplica(String config) throws Exception {
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (true) {
            RunningGateway gateway = RunningGateway.start(config);
            String where = gateway.get("/where").body();
            if (where.equals("{\"replica\":true}")) {
                return gateway;
            }
            gateway.close();
            assertThat(System.nanoTime()).as("the reads go to: %s", where).isLessThan(end);
        }
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(10));
    }

    /** Waits for some good answers to requests from then on; returns when the first came. */
    private static long awaitAnswers(SteadyClient client, long from) {
        soon().until(() -> client.between(from, System.nanoTime()).stream().filter(FailoverIT::isDone).count()
                > SOME);
        return client.between(from, System.nanoTime()).stream().filter(FailoverIT::isDone)
                .mapToLong(Answered::answered).min().orElseThrow();
    }

    private static boolean isDone(Answered answer) {
        return answer.status() == 200;
    }

    private static void report(String what, SteadyClient client, long dead, long promoted, long end) {
        List<Answered> answers = client.between(dead, end);
        long first = answers.stream().filter(FailoverIT::isDone)
                .filter(answer -> answer.asked() - promoted > 0)
                .mapToLong(Answered::answered).min().orElse(end);
        Map<Integer, Long> statuses = answers.stream().collect(
                Collectors.groupingBy(Answered::status, TreeMap::new, Collectors.counting()));
        System.out.printf("%s: statuses since the primary died %s; promoted after %d ms, answered %d ms "
                + "later%n", what, statuses, (promoted - dead) / 1_000_000, (first - promoted) / 1_000_000);
    }
}
