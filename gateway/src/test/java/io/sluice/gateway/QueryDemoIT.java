package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.JSON;
import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** The queries of the demo, which users copy. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryDemoIT implements QuerySubject {
    private RunningGateway gateway;

    @BeforeAll
    void start() {
        gateway = RunningGateway.start("""
                include classpath("demo.conf")
                sluice.offload.pools.jdbc.deadline = 10m
                sluice.routes.jdbc.deadline = 10m
                sluice.server.trusted-proxies = ["127.0.0.1"]
                """);
    }

    @AfterAll
    void stop() {
        gateway.close();
    }

    @Override
    public RunningGateway gateway() {
        return gateway;
    }

    @Test
    void customersArePagedAndFilteredOnRequest() throws Exception {
        JsonNode all = JSON.readTree(ok(gateway.get("/customers")));
        JsonNode swedes = JSON.readTree(ok(gateway.get("/customers?country=SE&after=100")));

        assertThat(all.size()).isEqualTo(50);
        assertThat(all.path(49).path("id").asInt()).isEqualTo(50);
        assertThat(swedes).isNotEmpty().allSatisfy(customer -> {
            assertThat(customer.path("country").asString()).isEqualTo("SE");
            assertThat(customer.path("id").asInt()).isGreaterThan(100);
        });
    }

    @Test
    void oneCustomerIsAnObjectWithOrders() throws Exception {
        assertThat(ok(gateway.get("/customers/7"))).startsWith("{\"id\":7,\"name\":\"Hiro Adeyemi 7\",");
        assertThat(problem(gateway.get("/customers/0"), 404)).isEqualTo("no such row");

        JsonNode orders = JSON.readTree(ok(gateway.get("/customers/7/orders")));
        JsonNode later = JSON.readTree(ok(gateway.get("/customers/7/orders?since=2025-06-01")));
        assertThat(orders.size()).isEqualTo(4);
        assertThat(later.size()).isBetween(1, 3);
        assertThat(orders.path(0).path("total").isNumber()).isTrue();
    }

    @Test
    void aCustomerCanBeAddedOnce() throws Exception {
        String body = "{\"name\":\"Zoë O'Neil\",\"email\":\"zoe@example.com\"}";

        assertThat(ok(gateway.post("/customers", body))).isEqualTo("{\"updated\":1}");
        assertThat(problem(gateway.post("/customers", body), 409)).isEqualTo("conflicts with what is stored");
        assertThat(ok(gateway.get("/customers?country=DE&after=500"))).contains("\"name\":\"Zoë O'Neil\"");
    }

    @Test
    void anOrderGetsAnotherStatusIfThereIsSuchAStatus() throws Exception {
        assertThat(ok(send("PATCH", "/orders/7", "{\"status\":\"cancelled\"}"))).isEqualTo("{\"updated\":1}");
        assertThat(ok(gateway.get("/orders/7"))).endsWith("\"status\":\"cancelled\"}");
        assertThat(problem(send("PATCH", "/orders/7", "{\"status\":\"lost\"}"), 409))
                .isEqualTo("conflicts with what is stored");
        assertThat(ok(send("PATCH", "/orders/0", "{\"status\":\"open\"}"))).isEqualTo("{\"updated\":0}");
    }

    @Test
    void revenueIsSummedUpByCountry() throws Exception {
        JsonNode countries = JSON.readTree(ok(gateway.get("/reports/revenue")));

        assertThat(countries.size()).isEqualTo(6);
        assertThat(countries.valueStream().mapToInt(country -> country.path("orders").asInt()).sum())
                .isEqualTo(2000);
    }

    @Test
    void theBenchmarkQuerySleepsAsLongAsItIsAskedTo() throws Exception {
        long start = System.nanoTime();
        ok(gateway.get("/benchmark/jdbc"));
        long without = System.nanoTime() - start;
        ok(gateway.get("/benchmark/jdbc?ms=300"));
        long with = System.nanoTime() - start - without;

        assertThat(without).isGreaterThanOrEqualTo(20_000_000L);
        assertThat(with).isGreaterThanOrEqualTo(300_000_000L);
    }

    @Test
    void theBenchmarkQueryLeavesAWorkerForTheNextClientAndEndsWhenItsOwnIsGone() throws Exception {
        var neighbour = gateway.request("/benchmark/jdbc?ms=0").header("X-Forwarded-For", "203.0.113.7");
        ok(gateway.send(neighbour));
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < 20; i++) {
            clients.add(gateway.connect().send("GET /benchmark/jdbc?ms=300000 HTTP/1.1\r\nHost: x\r\n\r\n"));
        }
        await().until(() -> tasks("busy") == 9 && tasks("queued") == 11);
        ok(gateway.send(neighbour));
        for (RawClient client : clients) {
            client.close();
        }
        await().until(() -> tasks("busy") == 0 && tasks("queued") == 0);
        ok(gateway.get("/benchmark/jdbc?ms=0"));
    }

    private int tasks(String state) throws Exception {
        String gauge = "sluice_offload_%s{pool=\"jdbc\"} ".formatted(state);
        return gateway.getAdmin("/metrics").body().lines().filter(line -> line.startsWith(gauge)).findFirst()
                .map(line -> (int) Double.parseDouble(line.substring(gauge.length()))).orElseThrow();
    }
}
