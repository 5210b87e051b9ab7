package io.sluice.gateway.limits;

import io.netty.channel.Channel;
import io.sluice.config.ServerConfig;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.RareWarning;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Limits the number of connections, in total and per client address. Thread-safe. */
public final class ConnectionLimits {
    private static final Logger log = LoggerFactory.getLogger(ConnectionLimits.class);

    private volatile ServerConfig config;
    private volatile int limit;
    private final AtomicInteger open = new AtomicInteger();
    private final ConcurrentHashMap<ClientNetwork, Integer> byClient = new ConcurrentHashMap<>();
    private final LongAdder[] rejected = new LongAdder[Reason.values().length];
    private final RareWarning warnings = new RareWarning();

    /** The reason for which a connection was closed before its first request. */
    public enum Reason {
        /** The total limit was reached. */
        LIMIT,
        /** The limit of its client address was reached. */
        ADDRESS,
        /** It did not start with a valid PROXY header, or did not come from a trusted proxy. */
        PROXY_HEADER;

        /** The value of the meters' tag. */
        public String tag() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * The configured limits.
     *
     * @param room the number of connections for which there are file descriptors
     */
    public ConnectionLimits(ServerConfig config, int room) {
        follow(config, room);
        Arrays.setAll(rejected, _ -> new LongAdder());
    }

    /**
     * Replaces the limits, for new connections.
     *
     * @param room the number of connections for which there are file descriptors
     */
    public void follow(ServerConfig next, int room) {
        config = next;
        limit = Math.min(next.maxConnections(), room);
    }

    /** The total limit. */
    public int limit() {
        return limit;
    }

    /** The number of connections that were rejected for a reason so far. */
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
        if (open.incrementAndGet() > limit) {
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

    private boolean take(ClientNetwork key) {
        if (byClient.merge(key, 1, Integer::sum) <= config.maxConnectionsPerAddress()) {
            return true;
        }
        giveBack(key);
        return false;
    }

    private void giveBack(ClientNetwork key) {
        byClient.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }

    /** Counts a rejected connection, and logs that at a limited rate. */
    public void turnedAway(InetAddress address, Reason reason) {
        rejected[reason.ordinal()].increment();
        if (warnings.isDue()) {
            log.warn("a connection from {} was closed at once: {}; so far {} for server.max-connections "
                    + "({}), {} for server.max-connections-per-address ({}), {} for a PROXY header",
                    address.getHostAddress(), reason.tag(), rejected(Reason.LIMIT), limit,
                    rejected(Reason.ADDRESS), config.maxConnectionsPerAddress(),
                    rejected(Reason.PROXY_HEADER));
        }
    }
}
