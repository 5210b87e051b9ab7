package io.sluice.gateway.filter;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a WebSocket handshake says in {@code Sec-WebSocket-Protocol} (RFC 6455 section 11.3.4). Browsers let
 * scripts set no other header, so that a token may stand there too, behind the name {@code bearer}.
 *
 * @param names the subprotocols, as the client prefers them; neither {@code bearer} nor a token
 * @param tokens what stands behind {@code bearer}
 */
public record Subprotocols(List<String> names, List<String> tokens) {
    private static final String BEARER = "bearer";

    /** Those in a handshake's head. */
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
     * The one to answer with; null for none. Browsers end a socket whose server agrees to none of what they
     * offered, so a client that offered nothing but its token gets {@code bearer}.
     */
    public String agreed(Set<String> known) {
        return names.stream().filter(known::contains).findFirst()
                .orElse(tokens.isEmpty() ? null : BEARER);
    }

    /** Without the tokens. */
    @Override
    public String toString() {
        return names.toString();
    }
}
