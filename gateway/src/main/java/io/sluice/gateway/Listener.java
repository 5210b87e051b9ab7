package io.sluice.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.sluice.gateway.net.Acceptors;
import io.sluice.gateway.net.OpenPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A listening port whose address and protocol can change at a reload, in two steps. {@link #prepare} does
 * everything that can fail, and can be taken back; {@link #commit} applies it. Open connections remain and
 * keep the protocol that they started with. Used by one thread at a time; {@link #open} by any.
 */
final class Listener extends ChannelInitializer<Channel> {
    private final String section;
    private final Acceptors acceptors;
    private final Opener opener;
    /** Initialises each accepted connection. */
    @SuppressWarnings("NullAway.Init") // set by setProtocol(), before the port is opened
    private volatile ChannelHandler protocol;
    private volatile @Nullable Bound bound;
    /** The change that the next commit applies; null if there is none. */
    private @Nullable Change prepared;
    /** Indicates whether {@link #bound} is closed, since it excludes a port to be opened. */
    private boolean givenUp;

    /** Opens a port. */
    @FunctionalInterface
    interface Opener {
        OpenPort open(Listener listener, Address address) throws StartException;
    }

    /** A configured address; port 0 stands for any free one. */
    record Address(String host, int port) {
        /** Returns the address of this machine; blocks where the host is a name. */
        InetSocketAddress resolve() {
            return new InetSocketAddress(host, port);
        }

        /** Returns whether only one of the addresses can be bound at a time. */
        boolean excludes(Address other) {
            if (port == 0 || port != other.port) {
                return false;
            }
            InetAddress here = resolve().getAddress();
            InetAddress there = other.resolve().getAddress();
            return host.equals(other.host) || here != null && there != null
                    && (here.equals(there) || here.isAnyLocalAddress() || there.isAnyLocalAddress());
        }
    }

    /** An open port and its configured address. */
    private record Bound(Address address, OpenPort open) {
    }

    /**
     * A prepared change.
     *
     * @param bound the port that is open afterwards; null if none is
     */
    private record Change(@Nullable Bound bound) {
    }

    /**
     * A listener without an open port.
     *
     * @param section the section of the configuration that has its address
     */
    Listener(String section, Acceptors acceptors, Opener opener) {
        this.section = section;
        this.acceptors = acceptors;
        this.opener = opener;
    }

    String section() {
        return section;
    }

    Acceptors acceptors() {
        return acceptors;
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

    /** Returns whether an address cannot be bound because the present port is open. */
    boolean excludes(Address address) {
        Bound present = bound;
        return present != null && present.address.excludes(address);
    }

    /**
     * Closes the present port if it moves from an address that excludes a next one. {@link #reopen} takes
     * this back.
     *
     * @param next the next address; null if there is none
     * @param all the next addresses of all listeners
     */
    void giveUp(@Nullable Address next, Collection<Address> all) {
        Bound present = bound;
        if (present != null && !present.address.equals(next) && all.stream().anyMatch(this::excludes)) {
            present.open.close();
            givenUp = true;
        }
    }

    /**
     * Opens the port at an address, unless it is open there already. The present port stays open until
     * {@link #commit} unless it was given up.
     *
     * @param next the next address; null if there is none
     * @throws StartException if the port cannot be opened
     */
    void prepare(@Nullable Address next) throws StartException {
        if (next == null) {
            prepared = new Change(null);
        } else if (bound == null || !bound.address.equals(next)) {
            prepared = new Change(new Bound(next, opener.open(this, next)));
        }
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
                bound = new Bound(former.address, opener.open(this, former.address));
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
