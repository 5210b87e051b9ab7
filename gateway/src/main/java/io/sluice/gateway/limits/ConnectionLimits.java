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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How many connections there may be, in all and from one address. Thread-safe. */
public final class ConnectionLimits {
    private static final Logger log = LoggerFactory.getLogger(ConnectionLimits.class);

    private volatile ServerConfig config;
    private volatile int limit;
    private final AtomicInteger open = new AtomicInteger();
    private final ConcurrentHashMap<ClientNetwork, Integer> byClient = new ConcurrentHashMap<>();
    private final LongAdder[] rejected = new LongAdder[Reason.values().length];
    private final RareWarning warnings = new RareWarning();

    /** Why a connection was closed before it could ask for anything. */
    public enum Reason {
        /** There were as many as may be. */
        LIMIT,
        /** Its address had as many as it may have. */
        ADDRESS,
        /** It did not begin as a proxy's does, or it was not one's. */
        PROXY_HEADER;

        /** As it stands in meters. */
        public String tag() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * Limits as configured.
     *
     * @param room for how many connections there is any
     */
    public ConnectionLimits(ServerConfig config, int room) {
        follow(config, room);
        Arrays.setAll(rejected, _ -> new LongAdder());
    }

    /**
     * Takes over other limits, for connections that come from here on.
     *
     * @param room for how many connections there is any
     */
    public void follow(ServerConfig next, int room) {
        config = next;
        limit = Math.min(next.maxConnections(), room);
    }

    /** How many there may be. */
    public int limit() {
        return limit;
    }

    /** How many were turned away so far. */
    public long rejected(Reason reason) {
        return rejected[reason.ordinal()].sum();
    }

    /**
     * Counts a connection until it is closed.
     *
     * @param address whose it is; null where that is not known yet
     * @return why it must not be; null where it may
     */
    Reason admit(Channel channel, InetAddress address) {
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

    /** Counts a connection, which was admitted already, for its address; false where that has too many. */
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

    /** Counts a connection that is turned away, and says so now and then. */
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
