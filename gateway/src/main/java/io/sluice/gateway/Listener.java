package io.sluice.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.sluice.gateway.net.OpenPort;

/**
 * A port for connections, whose address and protocol follow a reload in two steps: what can fail comes first
 * and can be taken back. Connections that are open stay, and keep the protocol that they began with.
 */
final class Listener extends ChannelInitializer<Channel> {
    private final Opener opener;
    /** What connections begin with. */
    private volatile ChannelHandler protocol;
    private volatile Bound bound;
    private Bound next;
    private boolean closes;

    /** Opens a port. */
    @FunctionalInterface
    interface Opener {
        OpenPort open(String host, int port, ChannelHandler initializer) throws StartException;
    }

    /** A port that is open at this address; as configured, 0 for any free one. */
    private record Bound(String host, int port, OpenPort open) {
        boolean isAt(String otherHost, int otherPort) {
            return host.equals(otherHost) && port == otherPort;
        }
    }

    /** A port that is not open yet. */
    Listener(Opener opener) {
        this.opener = opener;
    }

    @Override
    protected void initChannel(Channel channel) {
        channel.pipeline().addLast(protocol);
    }

    /** Has connections begin with this from here on; before the port is opened, and whenever that changes. */
    void begin(ChannelHandler handler) {
        protocol = handler;
    }

    /**
     * Opens the port at an address, unless it is open there; the one that it has stays open until
     * {@link #commit}. One port of two hosts cannot be open twice: it is closed first.
     *
     * @throws StartException where it cannot be opened; nothing has changed then
     */
    void prepare(String host, int port) throws StartException {
        closes = false;
        if (bound != null && bound.isAt(host, port)) {
            return;
        }
        boolean samePort = bound != null && port != 0 && bound.port == port;
        if (samePort) {
            bound.open.close();
        }
        try {
            next = new Bound(host, port, opener.open(host, port, this));
        } catch (StartException e) {
            if (samePort) {
                reopen();
            }
            throw e;
        }
    }

    private void reopen() throws StartException {
        Bound before = bound;
        bound = null; // where that fails, the next reload tries it again
        bound = new Bound(before.host, before.port, opener.open(before.host, before.port, this));
    }

    /** The port is to be closed. */
    void prepareToClose() {
        closes = bound != null;
    }

    /** What was prepared takes effect. */
    void commit() {
        if (next != null || closes) {
            Bound before = bound;
            bound = next;
            next = null;
            if (before != null) {
                before.open.close();
            }
        }
    }

    /** What was prepared is taken back. */
    void rollBack() throws StartException {
        closes = false;
        if (next != null) {
            Bound given = next;
            next = null;
            given.open.close();
            if (bound != null && given.port != 0 && bound.port == given.port) {
                reopen();
            }
        }
    }

    /** Null where it is not open. */
    OpenPort open() {
        Bound now = bound;
        return now == null ? null : now.open;
    }

    void close() {
        if (next != null) {
            next.open.close();
        }
        if (bound != null) {
            bound.open.close();
        }
    }
}
