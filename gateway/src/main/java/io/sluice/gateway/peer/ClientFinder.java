package io.sluice.gateway.peer;

import io.netty.channel.Channel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AsciiString;
import io.sluice.config.ServerConfig;
import io.sluice.handlers.FlatHeaders;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Finds who sent a request: the connection's peer, or whom that names where it is a trusted proxy. Nobody
 * else's word is taken, and no handler sees it.
 */
public final class ClientFinder {
    private static final AsciiString FORWARDED = AsciiString.cached("forwarded");
    private static final AsciiString X_FORWARDED_FOR = AsciiString.cached("x-forwarded-for");
    private static final AsciiString X_FORWARDED_PROTO = AsciiString.cached("x-forwarded-proto");
    private static final AsciiString X_FORWARDED_HOST = AsciiString.cached("x-forwarded-host");
    private static final AsciiString X_FORWARDED = AsciiString.cached("x-forwarded");
    private static final AsciiString X_REAL_IP = AsciiString.cached("x-real-ip");

    private final ServerConfig config;

    /** One that trusts whom a configuration names. */
    public ClientFinder(ServerConfig config) {
        this.config = config;
    }

    /** Whom all requests of a connection are from; null where a trusted proxy says it of each. */
    public Client ofAll(Channel channel) {
        InetSocketAddress peer = PeerAddress.of(channel);
        return config.trusts(peer.getAddress()) ? null
                : new Client(peer, overTls(channel) ? "https" : null, null);
    }

    /**
     * Finds a request's client.
     *
     * @param ofAll of its connection
     * @param headers of the request; what says who it is for is taken out unless a trusted proxy says it
     */
    public Client of(Client ofAll, Channel channel, HttpHeaders headers) {
        if (ofAll == null) {
            return forwarded(PeerAddress.of(channel), headers);
        }
        strip(headers);
        return ofAll;
    }

    /**
     * Whether what is asked for over https may be answered: it came by TLS, or from a proxy that has taken
     * it off (RFC 9110 section 7.4).
     */
    public boolean mayAskForHttps(Channel channel) {
        return overTls(channel) || config.proxyProtocol()
                || config.trusts(PeerAddress.of(channel).getAddress());
    }

    /** Without it nobody knows: whoever is between may take TLS off, and not be trusted. */
    private static boolean overTls(Channel channel) {
        Channel connection = channel.parent() instanceof SocketChannel within ? within : channel;
        return connection.pipeline().get(SslHandler.class) != null;
    }

    private static void strip(HttpHeaders headers) {
        if (headers instanceof FlatHeaders flat) {
            flat.removeIf(ClientFinder::saysWhoItIsFor);
        } else {
            headers.names().stream().filter(ClientFinder::saysWhoItIsFor).toList().forEach(headers::remove);
        }
    }

    /** Looks at one letter of most names. */
    private static boolean saysWhoItIsFor(CharSequence name) {
        return switch (name.charAt(0)) {
            case 'F', 'f' -> FORWARDED.contentEqualsIgnoreCase(name);
            case 'X', 'x' -> X_REAL_IP.contentEqualsIgnoreCase(name)
                    || AsciiString.regionMatches(name, true, 0, X_FORWARDED, 0, X_FORWARDED.length());
            default -> false;
        };
    }

    private Client forwarded(InetSocketAddress peer, HttpHeaders headers) {
        List<String> standard = headers.getAll(FORWARDED);
        List<String> usual = headers.getAll(X_FORWARDED_FOR);
        Client byStandard = client(peer, standard, Hop::ofForwarded);
        Client byUsual = client(peer, usual, Hop::ofAddress);
        if (standard.isEmpty()) {
            return complete(byUsual, headers);
        }
        // A proxy that writes one of them may let pass what its client has written into the other.
        boolean contradiction = !usual.isEmpty()
                && !byStandard.address().getAddress().equals(byUsual.address().getAddress());
        return contradiction ? new Client(peer) : complete(byStandard, headers);
    }

    /** From proxy to proxy, as long as the one who speaks is to be believed. */
    private Client client(InetSocketAddress peer, List<String> lines, Function<String, Hop> read) {
        var elements = new ElementsFromRight(lines);
        var client = new Client(peer);
        while (config.trusts(client.address().getAddress())) {
            String element = elements.next();
            Hop hop = element == null ? null : read.apply(element);
            if (hop == null) {
                break;
            }
            client = new Client(hop.node() == null ? client.address() : hop.node(), hop.scheme(), hop.host());
            if (hop.node() == null) {
                break;
            }
        }
        return client;
    }

    private static Client complete(Client client, HttpHeaders headers) {
        String scheme = Hop.scheme(last(headers, X_FORWARDED_PROTO));
        return new Client(client.address(), agreed(client.scheme(), scheme),
                agreed(client.host(), last(headers, X_FORWARDED_HOST)));
    }

    private static String last(HttpHeaders headers, AsciiString name) {
        return new ElementsFromRight(headers.getAll(name)).next();
    }

    private static String agreed(String one, String other) {
        return one == null ? other : other == null || Objects.equals(one, other) ? one : null;
    }
}
