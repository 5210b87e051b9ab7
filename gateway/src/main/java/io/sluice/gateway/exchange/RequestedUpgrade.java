package io.sluice.gateway.exchange;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.Tunnel;
import io.sluice.handlers.Upgrade;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The protocols that a request offers in the field {@code Upgrade}. For an extended CONNECT, the field has
 * the value of {@code :protocol}.
 */
record RequestedUpgrade(HttpExchange exchange, List<String> protocols) implements Upgrade {

    static Optional<Upgrade> of(HttpExchange exchange) {
        if (!asksForUpgrade(exchange.request())) {
            return Optional.empty();
        }
        List<String> protocols = exchange.headers().getAll(HttpHeaderNames.UPGRADE).stream()
                .flatMap(field -> Stream.of(field.split(","))).map(String::strip)
                .filter(name -> !name.isEmpty()).toList();
        return protocols.isEmpty() ? Optional.empty()
                : Optional.of(new RequestedUpgrade(exchange, protocols));
    }

    /**
     * Returns whether a request offers an upgrade (RFC 9110 section 7.8). HTTP/2 requests have neither field,
     * unless {@code Upgrade} was derived from {@code :protocol} (RFC 9113 section 8.2.2).
     */
    private static boolean asksForUpgrade(HttpRequest request) {
        HttpHeaders headers = request.headers();
        return headers.contains(HttpHeaderNames.UPGRADE)
                && (request.protocolVersion().majorVersion() == 2
                || request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0
                && headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true));
    }

    @Override
    public void accept(String protocol, HttpHeaders headers, Tunnel tunnel) {
        exchange.upgrade(protocol, headers, tunnel);
    }
}
