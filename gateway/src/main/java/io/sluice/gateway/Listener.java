package io.sluice.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.sluice.gateway.net.OpenPort;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A listening port whose address and protocol can change at a reload, in two steps. {@link #prepare} does
 * everything that can fail, and can be taken back; {@link #commit} applies it. Open connections remain and
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
    /** Whether {@link #bound} is closed, since the prepared change needs its number. */
    private boolean givenUp;

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
     * Closes the present port if it moves from an address whose number is needed: one number cannot be bound
     * twice, neither for two hosts nor for two listeners. {@link #reopen} takes this back.
     *
     * @param host the next host
     * @param port the next port; 0 if there is none
     * @param needed the numbers of all next ports
     */
    void giveUp(String host, int port, Set<Integer> needed) {
        Bound present = bound;
        if (present != null && present.port != 0 && needed.contains(present.port)
                && !present.isAt(host, port)) {
            present.open.close();
            givenUp = true;
        }
    }

    /**
     * Opens the port at an address, unless it is open there already. The present port stays open until
     * {@link #commit} unless it was given up.
     *
     * @throws StartException if the port cannot be opened
     */
    void prepare(String host, int port) throws StartException {
        if (bound == null || !bound.isAt(host, port)) {
            prepared = new Change(new Bound(host, port, opener.open(host, port, this)));
        }
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
            givenUp = false;
            if (before != null) {
                before.open.close();
            }
        }
    }

    /** Takes back the prepared change. */
    void discard() {
        Bound given = preparedPort();
        prepared = null;
        if (given != null) {
            given.open.close();
        }
    }

    /**
     * Opens the former port again if it was given up; all prepared ports have been discarded.
     *
     * @throws StartException if it cannot be opened; then the next reload tries again
     */
    void reopen() throws StartException {
        Bound former = bound;
        if (givenUp && former != null) {
            bound = null;
            try {
                bound = new Bound(former.host, former.port, opener.open(former.host, former.port, this));
            } finally {
                givenUp = false;
            }
        }
    }

    /** Returns whether the present port was closed before the prepared change. */
    boolean hasGivenUp() {
        return givenUp;
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
