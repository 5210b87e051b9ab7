package io.sluice.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** By the caller that an exchange tells, as one does that came over a socket. */
class AccessTest {
    private final Access access = TokensTest.knowing("alice", "bob").access(Optional.of(Set.of("alice")));

    @Test
    void letsThoseInWhomARouteNames() {
        assertThatCode(() -> access.require(exchange("alice"))).doesNotThrowAnyException();
    }

    @Test
    void keepsOthersOut() {
        HttpException refusal = refusal(access, "bob");

        assertThat(refusal.status().code()).isEqualTo(403);
        assertThat(refusal.headers().get("WWW-Authenticate"))
                .isEqualTo("Bearer realm=\"sluice\", error=\"insufficient_scope\"");
        assertThat(refusal).message().doesNotContain("alice", "bob");
    }

    @Test
    void asksWhoItIs() {
        HttpException refusal = refusal(access, null);

        assertThat(refusal.status().code()).isEqualTo(401);
        assertThat(refusal.headers().get("WWW-Authenticate")).isEqualTo("Bearer realm=\"sluice\"");
    }

    @Test
    void aRouteThatNamesNobodyIsOpen() {
        for (Access open : new Access[] {Access.OPEN, TokensTest.knowing("a").access(Optional.empty())}) {
            assertThatCode(() -> open.require(exchange(null))).doesNotThrowAnyException();
            assertThat(open.names()).isEmpty();
        }
    }

    private static HttpException refusal(Access access, String caller) {
        return catchThrowableOfType(HttpException.class, () -> access.require(exchange(caller)));
    }

    private static Exchange exchange(String caller) {
        var head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        return (Exchange) Proxy.newProxyInstance(Exchange.class.getClassLoader(),
                new Class<?>[] {Exchange.class}, (_, method, _) -> switch (method.getName()) {
                    case "caller" -> caller;
                    case "request" -> head;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
