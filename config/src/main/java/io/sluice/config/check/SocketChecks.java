package io.sluice.config.check;

import io.sluice.config.RouteConfig;
import io.sluice.config.SocketConfig;
import io.sluice.config.type.Method;
import java.util.Set;

/** Checks routes for WebSockets, regardless of their kind. */
final class SocketChecks {
    /** RFC 9110 section 5.6.2. */
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

    private SocketChecks() {
    }

    static void check(RouteConfig route, SocketConfig socket, Setting at) {
        if (route.methods() != null && !route.methods().equals(Set.of(Method.GET))) {
            at.at("methods").wrong(route.methods(), "GET alone, with which WebSockets are opened");
        }
        if (socket == null) {
            return;
        }
        checkTimes(socket, at.at("socket"));
        socket.subprotocols().orElse(Set.of()).stream().filter(subprotocol -> !subprotocol.matches(TOKEN))
                .forEach(subprotocol -> at.at("socket").at("subprotocols")
                        .wrong(HeaderText.printable(subprotocol), "a token, such as v2.chat"));
    }

    /** The ping must precede the idle timeout. */
    private static void checkTimes(SocketConfig socket, Setting at) {
        if (socket.pingInterval() == null || socket.idleTimeout() == null
                || socket.pingInterval().compareTo(socket.idleTimeout()) < 0) {
            return;
        }
        Setting ping = at.at("ping-interval");
        Setting idle = at.at("idle-timeout");
        if (ping.isDefault()) {
            idle.wrong("more than ping-interval, " + ping.text());
        } else {
            ping.wrong("less than idle-timeout, " + idle.text());
        }
    }
}
