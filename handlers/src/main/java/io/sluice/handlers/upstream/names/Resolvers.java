package io.sluice.handlers.upstream.names;

import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverChannelStrategy;

/** Builders of resolvers that live as long as this process, and must recover from each failure. */
public final class Resolvers {
    private static final String HOSTS_FILE_NANOS = "io.netty.hostsFileRefreshInterval";

    static {
        // Otherwise Netty reads the hosts file once in the life of the process.
        if (System.getProperty(HOSTS_FILE_NANOS) == null) {
            System.setProperty(HOSTS_FILE_NANOS, "1000000000");
        }
    }

    private Resolvers() {
    }

    /**
     * Returns the builder of a resolver that opens a channel for each look-up. By default it would keep one,
     * and fail for ever if that one could not be opened or was closed in a shortage.
     */
    public static DnsNameResolverBuilder builder(ChannelFactories channels) {
        return new DnsNameResolverBuilder()
                .datagramChannelFactory(channels.datagrams())
                .datagramChannelStrategy(DnsNameResolverChannelStrategy.ChannelPerResolution)
                .socketChannelFactory(channels.streams());
    }
}
