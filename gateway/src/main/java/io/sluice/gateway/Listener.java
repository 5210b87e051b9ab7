package io.sluice.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.sluice.gateway.net.OpenPort;
import org.jspecify.annotations.Nullable;

/**
 * A listening port whose address and protocol can change at a reload, in two steps. {@link #prepare} does
 * everything that can fail, and can be rolled back; {@link #commit} applies it. Open connections remain and
 * keep the protocol that they started with. Used by one thread at a time; {@link #open} by any.
 */
final class Listener extends ChannelInitializer<Channel> {
    private final Opener opener;
    /** Initialises each accepted connection. */
    @SuppressWarnings("NullAway.Init") // set by setProtocol(), before the port is opened
    private volatile ChannelHandler protocol;
    private volatile @Nullable Bound bound;
    /** The change that the next commit applies; null if there is none. */
    private @Nullable Change prepared;

    /** Opens a port. */
    @FunctionalInterface
    interface Opener {
        OpenPort open(String host, int port, ChannelHandler initializer) throws StartException;
    }

    /** An open port and its configured address; port 0 stands for any free one. */
    private record Bound(String host, int port, OpenPort open) {
        boolean isAt(String otherHost, int otherPort) {
            return host.equals(otherHost) && port == otherPort;
        }
    }

    /**
     * A prepared change.
     *
     * @param bound the port that is open afterwards; null if none is
     */
    private record Change(@Nullable Bound bound) {
    }

    /** A listener without an open port. */
    Listener(Opener opener) {
        this.opener = opener;
    }

    @Override
    protected void initChannel(Channel channel) {
        channel.pipeline().addLast(protocol);
    }

    /**
     * Sets the handler that initialises new connections. Called before the port is opened, and when the
     * protocol changes.
     */
    void setProtocol(ChannelHandler handler) {
        protocol = handler;
    }

    /**
     * Opens the port at an address, unless it is open there already. The present port stays open until
     * {@link #commit}, except where only the host changes: the same port number cannot be bound for both
     * hosts, so the present port is closed first.
     *
     * @throws StartException if the port cannot be opened; nothing has changed then
     */
    void prepare(String host, int port) throws StartException {
        if (bound != null && bound.isAt(host, port)) {
            return;
        }
        Bound replaced = bound != null && port != 0 && bound.port == port ? bound : null;
        if (replaced != null) {
            replaced.open.close();
        }
        try {
            prepared = new Change(new Bound(host, port, opener.open(host, port, this)));
        } catch (StartException e) {
            if (replaced != null) {
                reopen(replaced);
            }
            throw e;
        }
    }

    private void reopen(Bound before) throws StartException {
        bound = null; // if the port cannot be opened, the next reload tries again
        bound = new Bound(before.host, before.port, opener.open(before.host, before.port, this));
    }

    /** Prepares to close the port at {@link #commit}. */
    void prepareToClose() {
        prepared = new Change(null);
    }

    /** Applies the prepared change. */
    void commit() {
        if (prepared != null) {
            Bound before = bound;
            bound = prepared.bound;
            prepared = null;
            if (before != null) {
                before.open.close();
            }
        }
    }

    /**
     * Takes back the prepared change.
     *
     * @throws StartException if the former port cannot be opened again
     */
    void rollBack() throws StartException {
        Bound given = preparedPort();
        prepared = null;
        if (given != null) {
            given.open.close();
            if (bound != null && given.port != 0 && bound.port == given.port) {
                reopen(bound);
            }
        }
    }

    private @Nullable Bound preparedPort() {
        return prepared == null ? null : prepared.bound;
    }

    /** Returns the open port, or null. Any thread. */
    @Nullable OpenPort open() {
        Bound now = bound;
        return now == null ? null : now.open;
    }

    void close() {
        Bound given = preparedPort();
        if (given != null) {
            given.open.close();
        }
        if (bound != null) {
            bound.open.close();
        }
    }
}
