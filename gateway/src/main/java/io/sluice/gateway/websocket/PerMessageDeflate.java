package io.sluice.gateway.websocket;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The negotiated parameters of permessage-deflate (RFC 7692 section 7.1). There is never context takeover: an
 * idle socket holds no compressor, and a message to many is compressed once.
 *
 * @param windowBits log2 of the window that the client uses to inflate
 * @param windowAsked whether the client asked for that window size
 */
record PerMessageDeflate(int windowBits, boolean windowAsked) {
    static final int MAX_WINDOW_BITS = 15;

    private static final String NAME = "permessage-deflate";
    private static final String SERVER_NO_CONTEXT_TAKEOVER = "server_no_context_takeover";
    private static final String CLIENT_NO_CONTEXT_TAKEOVER = "client_no_context_takeover";
    private static final String SERVER_MAX_WINDOW_BITS = "server_max_window_bits";
    private static final String CLIENT_MAX_WINDOW_BITS = "client_max_window_bits";
    private static final Set<String> FLAGS = Set.of(SERVER_NO_CONTEXT_TAKEOVER, CLIENT_NO_CONTEXT_TAKEOVER);
    private static final String NONE = "";

    /**
     * The first acceptable offer; null if there is none. Offers with unknown parameters are declined.
     *
     * @param headers values of Sec-WebSocket-Extensions
     */
    static @Nullable PerMessageDeflate firstOf(List<String> headers) {
        return headers.stream().flatMap(header -> Stream.of(header.split(","))).map(PerMessageDeflate::of)
                .filter(Objects::nonNull).findFirst().orElse(null);
    }

    private static @Nullable PerMessageDeflate of(String offer) {
        String[] parts = offer.split(";", -1);
        if (!parts[0].strip().equalsIgnoreCase(NAME)) {
            return null;
        }
        var parameters = new HashMap<String, String>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            String name = (equals < 0 ? parts[i] : parts[i].substring(0, equals)).strip();
            String value = equals < 0 ? NONE : unquoted(parts[i].substring(equals + 1).strip());
            if (!isUnderstood(name, value) || parameters.put(name, value) != null) {
                return null;
            }
        }
        return of(parameters);
    }

    private static PerMessageDeflate of(Map<String, String> parameters) {
        String asked = parameters.get(SERVER_MAX_WINDOW_BITS);
        return asked == null ? new PerMessageDeflate(MAX_WINDOW_BITS, false)
                : new PerMessageDeflate(Integer.parseInt(asked), true);
    }

    private static boolean isUnderstood(String name, String value) {
        return switch (name) {
            case SERVER_MAX_WINDOW_BITS -> isWindowBits(value);
            // The client only says that it accepts such a limit; the gateway sets none.
            case CLIENT_MAX_WINDOW_BITS -> value.equals(NONE) || isWindowBits(value);
            default -> FLAGS.contains(name) && value.equals(NONE);
        };
    }

    private static boolean isWindowBits(String value) {
        return value.matches("[89]|1[0-5]");
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 2 && value.startsWith("\"") && value.endsWith("\"");
        // Keeps an empty value apart from a parameter without one.
        return quoted ? value.substring(1, value.length() - 1) : value.isEmpty() ? "\"\"" : value;
    }

    /** Returns the Sec-WebSocket-Extensions of the response. */
    String header() {
        return NAME + "; " + SERVER_NO_CONTEXT_TAKEOVER + "; " + CLIENT_NO_CONTEXT_TAKEOVER
                + (windowAsked ? "; " + SERVER_MAX_WINDOW_BITS + '=' + windowBits : "");
    }
}
