package io.sluice.gateway.offload;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.mariadb.MariadbServer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of a megabyte and more, through a gateway with as little memory as the image has of 256 MiB. */
@ParameterizedClass
@ValueSource(strings = {"postgres", "h2", "mariadb"})
class WideRowsIT {
    private static final int WIDE = 1_000_000;
    /** The number of rows that together exceed the heap. */
    private static final int ROWS = 60;
    private static final int FEW = 15;
    private static final int CLIENTS = 12;

    private static GatewayProcess gateway;

    @Parameter
    private String kind;

    @AfterParameterizedClassInvocation
    static void stop() {
        if (gateway != null) {
            gateway.close();
        }
    }

    @BeforeParameterizedClassInvocation
    static void start(String databaseKind) throws Exception {
        gateway = GatewayProcess.start("""
                sluice.offload.pools.main { client-share = 100%%, client-grace = 10m }
                sluice.databases.main { %1$s, pool = main,
                  connection-timeout = 20s }
                sluice.handler-defaults.query { database = main }
                sluice.handler-defaults.query.parameters {}
                sluice.route-defaults.deadline = 10m
                sluice.offload.pool-defaults.deadline = 10m
                wide {
                  handler = query, parameters { rows { type = long } }
                  sql = "SELECT g AS id, repeat('x', 1000000) AS data FROM %2$s"
                }
                width {
                  handler = query, row-limit = 500, parameters { rows { type = long }, width { type = long } }
                  sql = "SELECT g AS id, repeat('x', CAST(:width AS INTEGER)) AS data FROM %2$s"
                }
                sluice.routes {
                  cursor = ${wide} { path = "/cursor/{rows}" }
                  few = ${wide} { path = "/few/{rows}", row-limit = %3$d }
                  width = ${width} { path = "/width/{rows}/{width}" }
                  wider = ${width} { path = "/wider/{rows}/{width}" }
                  quick { path = "/quick", handler = query, sql = "SELECT 1 AS ok" }
                }
                """.formatted(connection(databaseKind), numbers(databaseKind), ROWS),
                "-Xmx64m", "-XX:MaxDirectMemorySize=64m", "-Dio.netty.maxDirectMemory=" + (64 << 20),
                "-XX:+ExitOnOutOfMemoryError");
        // the status is 503 until the database is connected
        await().atMost(ofSeconds(30)).until(() -> get("/quick").status() == 200);
    }

    private static String connection(String kind) throws Exception {
        if (kind.equals("h2")) {
            return "url = \"jdbc:h2:mem:wide;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE\"";
        }
        if (kind.equals("mariadb")) {
            MariadbServer mariadb = MariadbServer.get();
            return login(mariadb.url(), mariadb.user(), mariadb.password());
        }
        PostgresServer postgres = PostgresServer.get();
        return login(postgres.url(), postgres.user(), postgres.password());
    }

    private static String login(String url, String user, String password) {
        return "url = \"%s\", user = \"%s\", password = \"%s\"".formatted(url, user, password);
    }

    private static String numbers(String kind) {
        return switch (kind) {
            case "h2" -> "(SELECT x AS g FROM system_range(1, CAST(:rows AS INTEGER)))";
            case "mariadb" -> "(SELECT seq AS g FROM seq_1_to_500 WHERE seq <= :rows) AS numbers";
            default -> "generate_series(1, CAST(:rows AS INTEGER)) g";
        };
    }

    private static RawClient.Answer get(String path) throws IOException {
        try (var client = new RawClient(gateway.port())) {
            return client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").read();
        }
    }

    private static Void readWhole(String path, int rows, int width) {
        try (var client = new RawClient(gateway.port())) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
            var in = new BufferedInputStream(client.socket().getInputStream());
            var answer = new LargeResponse(in, rows, width);
            assertThat(answer.readHead()).as(gateway.output()).startsWith("HTTP/1.1 200");
            while (answer.readChunk()) {
                assertThat(gateway.isAlive()).isTrue();
            }
            assertThat(answer.isWhole()).as("the end of the array was there").isTrue();
            return null;
        } catch (IOException e) {
            throw new AssertionError(path + " was cut off; the gateway: " + gateway.output(), e);
        }
    }

    @Test
    void allOfThemArriveWithACursorAndWithout() {
        readWhole("/cursor/" + ROWS, ROWS, WIDE);
        readWhole("/few/" + ROWS, ROWS, WIDE);
        readWhole("/few/" + FEW, FEW, WIDE); // now the gateway knows the width of the rows
    }

    @Test
    void aRowThatAloneIsTooLargeIsAnErrorOfItsRequest() throws IOException {
        if (kind.equals("postgres")) {
            assertThat(get("/wider/1/3000000").status()).isEqualTo(500);
        } else { // the others' drivers return a row before its size is known
            assertThatThrownBy(() -> get("/wider/1/3000000")).isInstanceOf(IOException.class);
        }
        await().atMost(ofSeconds(30)).until(() ->
                gateway.output().contains("sluice.databases.main.fetch-buffer"));
        assertThat(get("/quick").body()).isEqualTo("[{\"ok\":1}]");
    }

    @Test
    void rowsThatAreSuddenlyWideAreFetchedAgain() {
        readWhole("/width/60/1000", ROWS, 1000);
        readWhole("/width/60/1000", ROWS, 1000);
        readWhole("/width/60/1000000", ROWS, WIDE);
        readWhole("/width/60/1000", ROWS, 1000);
    }

    @Test
    void manyAtOnceLeaveTheGatewayAlive() {
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<CompletableFuture<Void>>();
            for (int i = 0; i < CLIENTS; i++) {
                answers.add(CompletableFuture.supplyAsync(() -> readWhole("/cursor/" + FEW, FEW, WIDE),
                        clients));
            }
            answers.forEach(CompletableFuture::join);
        }
        assertThat(gateway.isAlive()).isTrue();
        assertThat(gateway.output()).doesNotContain("OutOfMemory", "LEAK");
    }
}
