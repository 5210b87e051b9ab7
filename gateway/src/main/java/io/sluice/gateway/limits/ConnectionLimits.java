package io.sluice.gateway.limits;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFactory;
import io.sluice.config.ServerConfig;
import io.sluice.handlers.upstream.UpstreamNetwork;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.RareWarning;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the number of connections, in total and per client address. Connections to upstreams share the room
 * with those of clients, and each kind leaves a part of it to the other. Those that have switched protocols
 * count for their clients, too. Thread-safe.
 */
public final class ConnectionLimits implements UpstreamNetwork.TunnelLimit {
    private static final Logger log = LoggerFactory.getLogger(ConnectionLimits.class);

    /** In bytes. A connection takes about a third; the rest is for its requests. */
    private static final int HEAP_OF_EACH = 12 * 1024;
    private static final int FOR_HEAP =
            (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / HEAP_OF_EACH);

    private volatile ServerConfig config;
    private volatile Room room = new Room(Integer.MAX_VALUE, 0);
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger toUpstreams = new AtomicInteger();
    private final ConcurrentHashMap<ClientNetwork, Integer> byClient = new ConcurrentHashMap<>();
    private final LongAdder[] rejected = new LongAdder[Reason.values().length];
    private final RareWarning warnings = new RareWarning();

    /** The reason for which a connection was closed before its first request. */
    public enum Reason {
        /** The total limit was reached. */
        LIMIT,
        /** The limit of its client address was reached. */
        ADDRESS,
        /** The connection has no valid PROXY header, or does not come from a trusted proxy. */
        PROXY_HEADER;

        /** Returns the value of the meters' tag. */
        public String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The number of connections for which there are file descriptors.
     *
     * @param reserved the part that clients leave to upstreams
     */
    private record Room(int connections, int reserved) {
    }

    /** Creates the configured limits, with room for any number of connections. */
    public ConnectionLimits(ServerConfig config) {
        this.config = config;
        Arrays.setAll(rejected, _ -> new LongAdder());
    }

    /**
     * Replaces the limits, for new connections.
     *
     * @param connections the number of connections for which there are file descriptors
     * @param upstreams the number of connections that upstreams may need at once; no more than a half is
     *     reserved for them
     */
    public void update(ServerConfig next, int connections, int upstreams) {
        config = next;
        room = new Room(connections, Math.min(upstreams, connections / 2));
    }

    /** Returns the total limit of clients' connections: the configured one, or what files and heap allow. */
    public int limit() {
        Room now = room;
        return Math.min(Math.min(config.maxConnections(), FOR_HEAP), now.connections - now.reserved);
    }

    /** Returns the number of connections that were rejected for a reason so far. */
    public long rejected(Reason reason) {
        return rejected[reason.ordinal()].sum();
    }

    /**
     * Admits a connection and counts it until it is closed.
     *
     * @param address the client's; null if it is not known yet
     * @return why the connection must be rejected; null if it is admitted
     */
    @Nullable Reason admit(Channel channel, @Nullable InetAddress address) {
        if (open.incrementAndGet() > Math.min(limit(), room.connections - toUpstreams.get())) {
            open.decrementAndGet();
            return Reason.LIMIT;
        }
        ClientNetwork key = address == null || config.trusts(address) ? null : ClientNetwork.of(address);
        if (key != null && !take(key)) {
            open.decrementAndGet();
            return Reason.ADDRESS;
        }
        channel.closeFuture().addListener(_ -> {
            open.decrementAndGet();
            if (key != null) {
                giveBack(key);
            }
        });
        return null;
    }

    /** Counts an admitted connection for its client address; false if that address has too many. */
    public boolean admitFrom(InetAddress address, Channel channel) {
        if (config.trusts(address)) {
            return true;
        }
        ClientNetwork key = ClientNetwork.of(address);
        if (take(key)) {
            channel.closeFuture().addListener(_ -> giveBack(key));
            return true;
        }
        return false;
    }

    /**
     * Returns a factory that opens the sockets of another one as connections to upstreams: counted until they
     * are closed, and refused where that would take the last file descriptors, or a quarter of the clients'.
     */
    public ChannelFactory<Channel> toUpstreams(ChannelFactory<? extends Channel> sockets) {
        return () -> {
            int others = toUpstreams.getAndIncrement();
            try {
                int clients = open.get();
                if (others + Math.max(clients, limit() / 4) >= room.connections) {
                    throw new ChannelException(new IOException(
                            "Too many open files: %d connections of clients and %d to upstreams (ulimit -n)"
                            .formatted(clients, others)));
                }
                Channel socket = sockets.newChannel();
                socket.closeFuture().addListener(_ -> toUpstreams.decrementAndGet());
                return socket;
            } catch (Throwable e) {
                toUpstreams.decrementAndGet();
                throw e;
            }
        };
    }

    /** Returns the limit of one address, which leaves others a part of those that files and heap allow. */
    private int limitOfAddress() {
        Room now = room;
        int allowed = Math.min(FOR_HEAP, now.connections - now.reserved);
        return Math.min(config.maxConnectionsPerAddress(), allowed - allowed / 4);
    }

    @Override
    public @Nullable Runnable tryTake(InetAddress client) {
        if (config.trusts(client)) {
            return () -> { };
        }
        ClientNetwork key = ClientNetwork.of(client);
        return take(key) ? () -> giveBack(key) : null;
    }

    private boolean take(ClientNetwork key) {
        if (byClient.merge(key, 1, Integer::sum) <= limitOfAddress()) {
            return true;
        }
        giveBack(key);
        return false;
    }

    private void giveBack(ClientNetwork key) {
        byClient.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }

    /** Counts a rejected connection, and logs it at most every 10 s. */
    public void recordRejection(InetAddress address, Reason reason) {
        rejected[reason.ordinal()].increment();
        if (warnings.tryTake()) {
            log.warn("a connection from {} was closed immediately: {}; so far {} for server.max-connections "
                    + "({}), {} for server.max-connections-per-address ({}), {} for a PROXY header",
                    address.getHostAddress(), reason.tag(), rejected(Reason.LIMIT), limit(),
                    rejected(Reason.ADDRESS), limitOfAddress(),
                    rejected(Reason.PROXY_HEADER));
        }
    }
}
