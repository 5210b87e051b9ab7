package io.sluice.handlers.upstream.names;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.resolver.dns.DnsCache;
import io.netty.resolver.dns.DnsCacheEntry;
import io.netty.resolver.dns.DnsCnameCache;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The shortest time to live of the records of one look-up, in place of a cache. Confined to its loop. */
final class RecordTimes implements DnsCache {
    private long shortest = Long.MAX_VALUE;

    /** Returns the time in seconds; {@link Long#MAX_VALUE} if no record was needed. */
    long shortestSeconds() {
        return shortest;
    }

    /** Returns the view for aliases, whose records count, too. */
    DnsCnameCache ofAliases() {
        return new DnsCnameCache() {
            @Override
            public @Nullable String get(String hostname) {
                return null;
            }

            @Override
            public void cache(String hostname, String alias, long seconds, EventLoop loop) {
                shortest = Math.min(shortest, seconds);
            }

            @Override
            public void clear() {
            }

            @Override
            public boolean clear(String hostname) {
                return false;
            }
        };
    }

    @Override
    public void clear() {
        shortest = Long.MAX_VALUE;
    }

    @Override
    public boolean clear(String hostname) {
        return false;
    }

    @Override
    public @Nullable List<? extends DnsCacheEntry> get(String hostname, DnsRecord[] additional) {
        return null;
    }

    @Override
    public @Nullable DnsCacheEntry cache(String hostname, DnsRecord[] additional, InetAddress address,
                                         long seconds, EventLoop loop) {
        shortest = Math.min(shortest, seconds);
        return null;
    }

    @Override
    public @Nullable DnsCacheEntry cache(String hostname, DnsRecord[] additional, Throwable cause,
                                         EventLoop loop) {
        return null;
    }
}
