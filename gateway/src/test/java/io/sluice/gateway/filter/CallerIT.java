package io.sluice.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.routing.Route;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The caller that handlers see on routes which need no token. */
class CallerIT {
    private static HandlerServer server;

    @BeforeAll
    static void start() {
        server = HandlerServer.start(new Route("who", PathTemplate.parse("/"), Set.of(Method.GET), "test",
                TokensTest.knowing("alice", "bob").access(Optional.empty()).around(exchange ->
                        HandlerServer.answer(exchange, exchange.caller() + " and " + exchange.caller()))));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"Authorization: Bearer bob, bob", "Authorization: Bearer eve, null", "X: x, null"})
    void callerIsTheOwnerOfTheToken(String header, String caller) throws IOException {
        assertThat(ask(header + "\r\n")).isEqualTo(caller + " and " + caller);
    }

    @ParameterizedTest
    @CsvSource({"bob, bob", "bob, alice"})
    void severalTokensHaveNoCaller(String one, String other) throws IOException {
        assertThat(ask("Authorization: Bearer " + one + "\r\nAuthorization: Bearer " + other + "\r\n"))
                .isEqualTo("null and null");
    }

    private static String ask(String headers) throws IOException {
        try (RawClient client = server.connect()) {
            return client.send("GET / HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n").read().body();
        }
    }
}
