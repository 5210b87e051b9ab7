package io.sluice.handlers.proxy;

import static io.sluice.handlers.message.FieldNames.begins;
import static io.sluice.handlers.message.FieldNames.same;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.netty.util.NetUtil;
import io.sluice.handlers.Client;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.message.HeaderField;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The fields by which an upstream learns for whom a request is: Forwarded (RFC 7239), X-Forwarded-*, Via,
 * X-Request-Id and X-Request-Timeout. A client's fields of these names are dropped, in any spelling that a
 * server could take for them, but Via, which is a list. So are other fields that servers read as the client's
 * address, the scheme or another path of the request, and Proxy, which CGI programs take for the address of a
 * proxy.
 */
final class ForwardingFields {
    private static final HeaderField FORWARDED = field("Forwarded");
    private static final HeaderField X_FORWARDED_FOR = field("X-Forwarded-For");
    private static final HeaderField X_FORWARDED_PROTO = field("X-Forwarded-Proto");
    private static final HeaderField X_FORWARDED_HOST = field("X-Forwarded-Host");
    private static final HeaderField X_FORWARDED_PREFIX = field("X-Forwarded-Prefix");
    private static final HeaderField X_REQUEST_ID = field("X-Request-Id");
    private static final HeaderField X_REQUEST_TIMEOUT = field("X-Request-Timeout");
    private static final AsciiString ANY_X_FORWARDED = AsciiString.cached("x-forwarded");
    /** Client addresses by the conventions of proxies and content delivery networks. */
    private static final AsciiString[] WITH_C = lowerCase("client-ip", "cf-connecting-ip",
            "cf-connecting-ipv6");
    private static final AsciiString[] WITH_F = lowerCase("forwarded", "forwarded-for", "fastly-client-ip",
            "fly-client-ip", "front-end-https");
    private static final AsciiString[] WITH_P = lowerCase("proxy", "proxy-client-ip");
    private static final AsciiString[] WITH_W = lowerCase("wl-proxy-client-ip", "wl-proxy-ssl");
    /** Fields of the gateway, client addresses, schemes, and what some frameworks route by. */
    private static final AsciiString[] WITH_X = lowerCase("x-request-id", "x-request-timeout",
            "x-real-ip", "x-client-ip", "x-cluster-client-ip", "x-remote-ip", "x-remote-addr",
            "x-originating-ip", "x-proxyuser-ip", "x-azure-clientip", "x-azure-socketip",
            "x-envoy-external-address", "x-scheme", "x-url-scheme",
            "x-original-forwarded-for", "x-original-url", "x-original-uri", "x-original-host",
            "x-rewrite-url", "x-envoy-original-path", "x-envoy-original-host");
    private static final AsciiString TRUE_CLIENT_IP = AsciiString.cached("true-client-ip");
    private static final AsciiString VIA = AsciiString.cached("Via");
    private static final AsciiString VIA_1_1 = AsciiString.cached("1.1 sluice");
    private static final AsciiString VIA_1_0 = AsciiString.cached("1.0 sluice");
    private static final AsciiString VIA_2 = AsciiString.cached("2 sluice");
    /** Deadlines that are further away are none. */
    private static final long MAX_DEADLINE_NANOS = TimeUnit.DAYS.toNanos(365);

    private ForwardingFields() {
    }

    /** Returns a field whose name is checked once. */
    private static HeaderField field(String name) {
        return new HeaderField(AsciiString.cached(name), "");
    }

    private static AsciiString[] lowerCase(String... names) {
        return Arrays.stream(names).map(AsciiString::cached).toArray(AsciiString[]::new);
    }

    /** Returns whether a client's field of this name must not reach an upstream. */
    static boolean claims(CharSequence name) {
        return switch (name.charAt(0)) {
            case 'C', 'c' -> isAny(WITH_C, name);
            case 'F', 'f' -> isAny(WITH_F, name);
            case 'P', 'p' -> isAny(WITH_P, name);
            case 'T', 't' -> same(TRUE_CLIENT_IP, name);
            case 'W', 'w' -> isAny(WITH_W, name);
            case 'X', 'x' -> begins(ANY_X_FORWARDED, name) || isAny(WITH_X, name);
            default -> false;
        };
    }

    private static boolean isAny(AsciiString[] known, CharSequence name) {
        for (AsciiString one : known) {
            if (same(one, name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Adds the fields of a request.
     *
     * @param prefix the beginning of the path that the upstream does not get, which its links need; empty for
     *     none
     */
    static void add(Exchange exchange, String prefix, FlatHeaders to) {
        Client client = exchange.client();
        String address = NetUtil.toAddressString(client.address().getAddress());
        String host = host(exchange);
        String scheme = scheme(client);
        to.set(FORWARDED.with(forwarded(address, host, scheme)));
        to.set(X_FORWARDED_FOR.with(address));
        to.set(X_FORWARDED_PROTO.with(scheme));
        if (!host.isEmpty()) {
            to.set(X_FORWARDED_HOST.with(host));
        }
        if (!prefix.isEmpty()) {
            to.set(X_FORWARDED_PREFIX.with(prefix));
        }
        to.set(X_REQUEST_ID.with(exchange.requestId()));
        addVia(exchange.request().protocolVersion(), to);
        long left = exchange.deadline().remainingNanos();
        if (left < MAX_DEADLINE_NANOS) {
            to.set(X_REQUEST_TIMEOUT.with(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)) + "ms"));
        }
    }

    /** Returns the scheme that the client has used; if no proxy states it, that of the connection. */
    private static String scheme(Client client) {
        String ofConnection = client.tls() == null ? "http" : "https";
        return client.scheme() == null ? ofConnection : client.scheme();
    }

    /** Returns the host that a trusted proxy has named, unless it is none; otherwise that of the request. */
    private static String host(Exchange exchange) {
        String named = exchange.client().host();
        return named != null && isHost(named) ? named : exchange.headers().get(HttpHeaderNames.HOST, "");
    }

    /** Returns whether a text has only characters of a host and port (RFC 3986 section 3.2). */
    private static boolean isHost(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean valid = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
                    || "-._~%:[]".indexOf(c) >= 0;
            if (!valid) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    private static String forwarded(String address, String host, String scheme) {
        String node = address.indexOf(':') < 0 ? address : "\"[" + address + "]\"";
        return host.isEmpty() ? "for=" + node + ";proto=" + scheme
                : "for=" + node + ";host=\"" + host + "\";proto=" + scheme;
    }

    /** Adds this gateway to those that have passed a message on (RFC 9110 section 7.6.3). */
    static void addVia(HttpVersion received, FlatHeaders to) {
        to.add(VIA, received.majorVersion() == 2 ? VIA_2
                : received.minorVersion() == 0 ? VIA_1_0 : VIA_1_1);
    }
}
