package io.sluice.handlers.proxy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.AsciiString;
import io.netty.util.NetUtil;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.FlatHeaders;
import io.sluice.handlers.Peer;
import java.util.concurrent.TimeUnit;

/**
 * The fields by which an upstream learns for whom a request is: Forwarded (RFC 7239), X-Forwarded-*, Via,
 * X-Request-Id and X-Request-Timeout. What the client has sent under these names is dropped, in any spelling
 * that a server could take for them: application servers read {@code _} and {@code -} as the same.
 */
final class ForwardingFields {
    private static final AsciiString FORWARDED = AsciiString.cached("Forwarded");
    private static final AsciiString X_FORWARDED_FOR = AsciiString.cached("X-Forwarded-For");
    private static final AsciiString X_FORWARDED_PROTO = AsciiString.cached("X-Forwarded-Proto");
    private static final AsciiString X_FORWARDED_HOST = AsciiString.cached("X-Forwarded-Host");
    private static final AsciiString X_REQUEST_ID = AsciiString.cached("X-Request-Id");
    private static final AsciiString X_REQUEST_TIMEOUT = AsciiString.cached("X-Request-Timeout");
    private static final String VIA = "1.1 sluice";
    /** Deadlines that are further away are none. */
    private static final long LONGEST_DEADLINE_NANOS = TimeUnit.DAYS.toNanos(365);

    private ForwardingFields() {
    }

    /** Returns whether a client's field of this name must not reach an upstream. */
    static boolean claims(CharSequence name) {
        return switch (name.charAt(0)) {
            case 'F', 'f' -> name.length() == FORWARDED.length() && FORWARDED.contentEqualsIgnoreCase(name);
            case 'X', 'x' -> isLike("x-forwarded", name, true) || isLike("x-real-ip", name, false)
                    || isLike("x-request-id", name, false) || isLike("x-request-timeout", name, false);
            default -> false;
        };
    }

    /** Returns whether a name is, or begins with, another one, with {@code _} equal to {@code -}. */
    private static boolean isLike(String lowerCase, CharSequence name, boolean orBegins) {
        int length = lowerCase.length();
        if (name.length() < length || !orBegins && name.length() > length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char c = name.charAt(i) == '_' ? '-' : AsciiString.toLowerCase(name.charAt(i));
            if (c != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Adds the fields of a request. */
    static void add(Exchange exchange, FlatHeaders to) {
        Peer peer = exchange.peer();
        String address = NetUtil.toAddressString(peer.address().getAddress());
        String host = peer.hostOf(exchange.headers());
        String scheme = peer.scheme() == null ? "http" : peer.scheme();
        to.add(FORWARDED, forwarded(address, host, scheme));
        to.add(X_FORWARDED_FOR, address);
        to.add(X_FORWARDED_PROTO, scheme);
        if (!host.isEmpty()) {
            to.add(X_FORWARDED_HOST, host);
        }
        to.add(X_REQUEST_ID, exchange.requestId());
        addVia(to);
        long left = exchange.deadline().remainingNanos();
        if (left < LONGEST_DEADLINE_NANOS) {
            to.add(X_REQUEST_TIMEOUT, Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)) + "ms");
        }
    }

    private static String forwarded(String address, String host, String scheme) {
        String node = address.indexOf(':') < 0 ? address : "\"[" + address + "]\"";
        return host.isEmpty() || host.indexOf('"') >= 0 || host.indexOf('\\') >= 0
                ? "for=" + node + ";proto=" + scheme
                : "for=" + node + ";host=\"" + host + "\";proto=" + scheme;
    }

    /** Adds this gateway to Via (RFC 9110 section 7.6.3). */
    static void addVia(FlatHeaders to) {
        String before = String.join(", ", to.getAll(HttpHeaderNames.VIA));
        to.set(HttpHeaderNames.VIA, before.isEmpty() ? VIA : before + ", " + VIA);
    }
}
