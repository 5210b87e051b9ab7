package io.sluice.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.config.type.Sha256;
import io.sluice.gateway.peer.Credential;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.HttpException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Access by the caller that the exchange already has, as for requests over a WebSocket. */
class AccessTest {
    private final Access access = TokensTest.knowing("alice", "bob").access(Optional.of(Set.of("alice")));

    @Test
    void namedCallerIsAccepted() {
        assertThatCode(() -> access.require(exchange("alice"))).doesNotThrowAnyException();
    }

    @Test
    void otherCallerGets403() {
        HttpException refusal = refusal(access, "bob");

        assertThat(refusal.status().code()).isEqualTo(403);
        assertThat(refusal.headers().get("WWW-Authenticate"))
                .isEqualTo("Bearer realm=\"sluice\", error=\"insufficient_scope\"");
        assertThat(refusal).message().doesNotContain("alice", "bob");
    }

    @Test
    void missingTokenGets401() {
        HttpException refusal = refusal(access, null);

        assertThat(refusal.status().code()).isEqualTo(401);
        assertThat(refusal.headers().get("WWW-Authenticate")).isEqualTo("Bearer realm=\"sluice\"");
    }

    @Test
    void routeWithoutTokensIsOpen() {
        Access open = TokensTest.knowing("a").access(Optional.empty());

        assertThatCode(() -> open.require(exchange(null))).doesNotThrowAnyException();
    }

    /** As after a reload that removes all tokens. */
    @Test
    void aCallerEndsWithTheTokenThatHasShownIt() throws Exception {
        var exchange = new FakeExchange();
        Credential.ofToken("alice", Sha256.parse("0".repeat(64))).passTo(exchange);

        TokensTest.knowing().access(Optional.empty()).around(_ -> { }).handle(exchange);

        assertThat(exchange.caller()).isNull();
    }

    /** Its name may be that of a token's owner, but it has shown no token. */
    @Test
    void aCallerThatAPlugInHasNamedGets401() {
        var exchange = new FakeExchange();
        exchange.attr(Exchange.CALLER).set("alice");

        assertThat(catchThrowableOfType(HttpException.class, () -> access.require(exchange)).status().code())
                .isEqualTo(401);
        assertThat(access.admits(Credential.of(exchange))).isFalse();
    }

    @Test
    void tunnelsOfACallerWithTheTokenOfAnotherStayOpen() {
        Exchange exchange = exchange("alice");
        exchange.attr(Exchange.CALLER).set("user7");

        assertThat(exchange.caller()).isEqualTo("user7");
        assertThat(access.admits(Credential.of(exchange))).isTrue();
        assertThat(TokensTest.knowing("bob").access(Optional.empty()).admits(Credential.of(exchange)))
                .as("without the token").isFalse();
    }

    @Test
    void aCallerThatAPlugInHasNamedStays() throws Exception {
        var exchange = new FakeExchange();
        exchange.attr(Exchange.CALLER).set("alice");

        TokensTest.knowing().access(Optional.empty()).around(_ -> { }).handle(exchange);

        assertThat(exchange.caller()).isEqualTo("alice");
    }

    private static HttpException refusal(Access access, String caller) {
        return catchThrowableOfType(HttpException.class, () -> access.require(exchange(caller)));
    }

    /** Returns a request with the token of a caller; null for none. */
    private static Exchange exchange(@Nullable String caller) {
        var exchange = new FakeExchange();
        if (caller != null) {
            Credential.ofToken(caller, new Sha256(TokensTest.sha256(caller))).passTo(exchange);
        }
        return exchange;
    }
}
