package io.sluice.handlers.upstream.endpoint;

import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The addresses of an endpoint's name, one of which is used for new connections. Any thread. */
public final class EndpointAddresses {
    private volatile List<InetSocketAddress> all = List.of();
    /** The index of the address that is used, modulo their number. */
    private final AtomicInteger preferred = new AtomicInteger();

    /** Returns the addresses; empty while the name has none. */
    public List<InetSocketAddress> all() {
        return all;
    }

    /** Replaces the addresses. */
    public void set(List<InetSocketAddress> addresses) {
        all = List.copyOf(addresses);
    }

    /** Returns the address for a new connection; null while the name has none. */
    public @Nullable InetSocketAddress preferred() {
        return at(preferred.get());
    }

    /** Returns the text of that address; empty while the name has none. */
    public String preferredText() {
        InetSocketAddress address = preferred();
        return address == null ? "" : NetUtil.toSocketAddressString(address);
    }

    private @Nullable InetSocketAddress at(int index) {
        List<InetSocketAddress> known = all;
        return known.isEmpty() ? null : known.get(Math.floorMod(index, known.size()));
    }

    /** Moves on from an address to which no connection could be opened, once for all that tried it. */
    public void unreachable(SocketAddress address) {
        int seen = preferred.get();
        if (address.equals(at(seen))) {
            preferred.compareAndSet(seen, seen + 1);
        }
    }
}
