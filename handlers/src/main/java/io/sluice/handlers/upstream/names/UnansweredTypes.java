package io.sluice.handlers.upstream.names;

import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.resolver.dns.DnsNameResolverException;
import io.netty.resolver.dns.DnsQueryLifecycleObserver;
import io.netty.resolver.dns.DnsQueryLifecycleObserverFactory;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The types of records for which one look-up got no answer, as servers were silent or failed. Netty's
 * resolver is content with the records of the other type. Confined to its loop.
 */
final class UnansweredTypes implements DnsQueryLifecycleObserverFactory {
    private final Set<DnsRecordType> types = new HashSet<>();

    void clear() {
        types.clear();
    }

    boolean contains(DnsRecordType type) {
        return types.contains(type);
    }

    @Override
    public DnsQueryLifecycleObserver newDnsQueryLifecycleObserver(DnsQuestion question) {
        return new Query(question.type());
    }

    /** A query, repeated with one server after the other. */
    private final class Query implements DnsQueryLifecycleObserver {
        private final DnsRecordType type;

        Query(DnsRecordType type) {
            this.type = type;
        }

        @Override
        public void queryWritten(InetSocketAddress server, ChannelFuture written) {
        }

        @Override
        public void queryCancelled(int queriesLeft) {
        }

        @Override
        public DnsQueryLifecycleObserver queryRedirected(List<InetSocketAddress> servers) {
            return this;
        }

        @Override
        public DnsQueryLifecycleObserver queryCNAMEd(DnsQuestion question) {
            return this;
        }

        @Override
        public DnsQueryLifecycleObserver queryNoAnswer(DnsResponseCode code) {
            types.add(type);
            return this;
        }

        /** Called for silent servers, but also if there is no such name or record, which is an answer. */
        @Override
        public void queryFailed(Throwable cause) {
            if (cause instanceof DnsNameResolverException) {
                types.add(type);
            } else {
                types.remove(type);
            }
        }

        @Override
        public void querySucceed() {
            types.remove(type);
        }
    }
}
