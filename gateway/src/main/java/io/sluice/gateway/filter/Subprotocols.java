package io.sluice.gateway.filter;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The offers of a WebSocket handshake in {@code Sec-WebSocket-Protocol} (RFC 6455 section 11.3.4). As
 * browsers let scripts set no other header, a token may stand there too, after the name {@code bearer}.
 *
 * @param names the subprotocols in the client's order of preference, without {@code bearer} and tokens
 * @param tokens the values after {@code bearer}
 */
public record Subprotocols(List<String> names, List<String> tokens) {
    private static final String BEARER = "bearer";

    /** Parses the header fields of a handshake. */
    public static Subprotocols of(HttpHeaders headers) {
        List<String> offered = headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL).stream()
                .flatMap(field -> Stream.of(field.split(","))).map(String::strip)
                .filter(name -> !name.isEmpty()).toList();
        var names = new ArrayList<String>();
        var tokens = new ArrayList<String>();
        for (int i = 0; i < offered.size(); i++) {
            if (offered.get(i).equals(BEARER)) {
                i++;
                tokens.add(i < offered.size() ? offered.get(i) : "");
            } else {
                names.add(offered.get(i));
            }
        }
        return new Subprotocols(names, tokens);
    }

    /**
     * Returns the subprotocol to respond with; null for none. Browsers close a WebSocket whose server selects
     * none of the offered names, so a client that offered only its token gets {@code bearer}.
     *
     * @param known the subprotocols of the route
     */
    public @Nullable String agreed(Set<String> known) {
        return names.stream().filter(known::contains).findFirst()
                .orElse(tokens.isEmpty() ? null : BEARER);
    }

    /** Returns the names without the tokens. */
    @Override
    public String toString() {
        return names.toString();
    }
}
