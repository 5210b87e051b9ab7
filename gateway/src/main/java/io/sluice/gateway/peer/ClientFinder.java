package io.sluice.gateway.peer;

import io.netty.channel.Channel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AsciiString;
import io.sluice.config.ServerConfig;
import io.sluice.handlers.Client;
import io.sluice.handlers.message.FieldNames;
import io.sluice.handlers.message.FlatHeaders;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Determines the client of a request: the peer of the connection or, if that is a trusted proxy, the client
 * that it forwards for. Forwarding headers from any other peer are ignored and removed. So are those for
 * certificates of clients, which proxies that terminate TLS write (RFC 9440 section 4).
 */
public final class ClientFinder {
    private static final AsciiString FORWARDED = AsciiString.cached("forwarded");
    private static final AsciiString X_FORWARDED_FOR = AsciiString.cached("x-forwarded-for");
    private static final AsciiString X_FORWARDED_PROTO = AsciiString.cached("x-forwarded-proto");
    private static final AsciiString X_FORWARDED_HOST = AsciiString.cached("x-forwarded-host");
    private static final AsciiString X_FORWARDED = AsciiString.cached("x-forwarded");
    private static final AsciiString CLIENT_CERT = AsciiString.cached("client-cert");
    private static final AsciiString SSL_CLIENT = AsciiString.cached("ssl-client");
    private static final AsciiString X_CLIENT_CERT = AsciiString.cached("x-client-cert");
    private static final AsciiString X_SSL_CLIENT = AsciiString.cached("x-ssl-client");
    private static final AsciiString X_REAL_IP = AsciiString.cached("x-real-ip");

    private final ServerConfig config;

    /** Creates a finder that trusts the configured proxies. */
    public ClientFinder(ServerConfig config) {
        this.config = config;
    }

    /**
     * The client of all requests of a connection; null if it is a trusted proxy, which names the client of
     * each request.
     */
    public @Nullable Client ofAll(Channel channel) {
        InetSocketAddress peer = PeerAddress.of(channel);
        SSLSession tls = tls(channel);
        return config.trusts(peer.getAddress()) ? null
                : new Client(peer, tls == null ? null : "https", null, tls);
    }

    /**
     * Determines the client of a request.
     *
     * @param ofAll the result of {@link #ofAll} for the connection
     * @param headers of the request; forwarding headers are removed unless a trusted proxy sent them
     */
    public Client of(@Nullable Client ofAll, Channel channel, HttpHeaders headers) {
        if (ofAll == null) {
            return forwarded(new Client(PeerAddress.of(channel), null, null, tls(channel)), headers);
        }
        strip(headers);
        return ofAll;
    }

    /**
     * Returns whether requests for https resources may be answered: the connection uses TLS, or comes from a
     * proxy that has terminated TLS (RFC 9110 section 7.4).
     */
    public boolean mayAskForHttps(Channel channel) {
        return tls(channel) != null || PeerAddress.hasHeader(channel)
                || config.trusts(PeerAddress.of(channel).getAddress());
    }

    /**
     * The TLS session; null without TLS. The scheme is unknown then, as an untrusted proxy may have
     * terminated TLS.
     */
    private static @Nullable SSLSession tls(Channel channel) {
        Channel connection = channel.parent() instanceof SocketChannel within ? within : channel;
        SslHandler handler = connection.pipeline().get(SslHandler.class);
        return handler == null ? null : handler.engine().getSession();
    }

    private static void strip(HttpHeaders headers) {
        if (headers instanceof FlatHeaders flat) {
            flat.removeIf(ClientFinder::isForwardingField);
        } else {
            headers.names().stream().filter(ClientFinder::isForwardingField).toList()
                    .forEach(headers::remove);
        }
    }

    /**
     * Returns whether a header names the client or the target of a forwarded request, or has a certificate.
     * For most names, one letter decides.
     */
    private static boolean isForwardingField(CharSequence name) {
        return switch (name.charAt(0)) {
            case 'C', 'c' -> FieldNames.begins(CLIENT_CERT, name);
            case 'F', 'f' -> FieldNames.same(FORWARDED, name);
            case 'S', 's' -> FieldNames.begins(SSL_CLIENT, name);
            case 'X', 'x' -> FieldNames.begins(X_FORWARDED, name) || FieldNames.same(X_REAL_IP, name)
                    || FieldNames.begins(X_CLIENT_CERT, name) || FieldNames.begins(X_SSL_CLIENT, name);
            default -> false;
        };
    }

    private Client forwarded(Client proxy, HttpHeaders headers) {
        List<String> standard = headers.getAll(FORWARDED);
        List<String> usual = headers.getAll(X_FORWARDED_FOR);
        Client byStandard = client(proxy, standard, Hop::ofForwarded);
        Client byUsual = client(proxy, usual, Hop::ofAddress);
        if (standard.isEmpty()) {
            return complete(byUsual, headers);
        }
        // A proxy that writes one of the two may pass on the other as its client wrote it.
        boolean contradiction = !usual.isEmpty()
                && !byStandard.address().getAddress().equals(byUsual.address().getAddress());
        return contradiction ? proxy : complete(byStandard, headers);
    }

    /** Follows the chain of proxies, as long as each one is trusted. */
    private Client client(Client proxy, List<String> lines, Function<String, @Nullable Hop> read) {
        var elements = new ElementsFromRight(lines);
        Client client = proxy;
        while (config.trusts(client.address().getAddress())) {
            String element = elements.next();
            Hop hop = element == null ? null : read.apply(element);
            if (hop == null) {
                break;
            }
            client = new Client(hop.node() == null ? client.address() : hop.node(), hop.scheme(), hop.host(),
                    proxy.tls());
            if (hop.node() == null) {
                break;
            }
        }
        return client;
    }

    private static Client complete(Client client, HttpHeaders headers) {
        String scheme = Hop.scheme(last(headers, X_FORWARDED_PROTO));
        return new Client(client.address(), agreed(client.scheme(), scheme),
                agreed(client.host(), last(headers, X_FORWARDED_HOST)), client.tls());
    }

    private static @Nullable String last(HttpHeaders headers, AsciiString name) {
        return new ElementsFromRight(headers.getAll(name)).next();
    }

    private static @Nullable String agreed(@Nullable String one, @Nullable String other) {
        return one == null ? other : other == null || Objects.equals(one, other) ? one : null;
    }
}
