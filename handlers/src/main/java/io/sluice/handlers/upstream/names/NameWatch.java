package io.sluice.handlers.upstream.names;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.netty.util.concurrent.Future;
import io.sluice.offload.Guard;
import io.sluice.offload.RareWarning;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of a name as they change. The name is looked up again when its records expire, but not more
 * often than each second and at least every 30 s. A failed look-up changes nothing; one that fails for IPv4
 * or for IPv6 only leaves the last addresses of that kind.
 */
public final class NameWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NameWatch.class);
    private static final RareWarning WARNING = new RareWarning();
    private static final Guard GUARD = new Guard(log, "a look-up of a name failed; it is repeated");
    private static final long QUERY_MILLIS = 2000;
    private static final long MIN_SECONDS = 1;
    private static final long MAX_SECONDS = 30;

    private final String host;
    private final EventLoop loop;
    private final DnsNameResolver resolver;
    private final RecordTimes times = new RecordTimes();
    private final UnansweredTypes unanswered = new UnansweredTypes();
    private final Consumer<List<InetAddress>> listener;
    private final CountDownLatch first = new CountDownLatch(1);
    /** The addresses at the last look-up that has not failed. */
    private volatile List<InetAddress> last;
    /** The number of failed look-ups in a row. */
    private int failures;
    /** Null during a look-up. */
    private @Nullable Future<?> next;
    private boolean closed;

    /**
     * The means of looking up names.
     *
     * @param loop the event loop of the look-ups
     * @param channels creates their channels
     * @param servers the name servers in the order of use; empty for those of the operating system
     */
    public record Source(EventLoop loop, ChannelFactories channels, List<InetSocketAddress> servers) {
    }

    /**
     * Starts to watch a name. May read files of the operating system.
     *
     * @param known addresses that another watch of the name has found; they stay until the first look-up that
     *     does not fail
     * @param listener gets all addresses, at least one, on the loop: once they are known, and when they have
     *     been looked up again, changed or not
     */
    public NameWatch(String host, Source source, List<InetAddress> known,
                     Consumer<List<InetAddress>> listener) {
        this.host = host;
        last = known;
        this.listener = listener;
        loop = source.loop();
        DnsNameResolverBuilder builder = Resolvers.builder(source.channels())
                .eventLoop(loop)
                .resolvedAddressTypes(ResolvedAddressTypes.IPV4_PREFERRED)
                .queryTimeoutMillis(QUERY_MILLIS)
                .resolveCache(times)
                .dnsQueryLifecycleObserverFactory(unanswered)
                .cnameCache(times.ofAliases())
                .authoritativeDnsServerCache(NoopAuthoritativeDnsServerCache.INSTANCE);
        if (!source.servers().isEmpty()) {
            builder.nameServerProvider(new SequentialDnsServerAddressStreamProvider(
                    source.servers().toArray(InetSocketAddress[]::new)));
        }
        resolver = builder.build();
        loop.execute(() -> {
            if (!known.isEmpty()) {
                GUARD.run(() -> listener.accept(known));
            }
            lookUp();
        });
    }

    /** Returns the name. */
    public String host() {
        return host;
    }

    /** Returns the addresses that were found last; empty if none were. Any thread. */
    public List<InetAddress> addresses() {
        return last;
    }

    /** Waits until the first look-up has ended, successful or not. Blocks; not on an event loop. */
    public void awaitFirst(long timeout, TimeUnit unit) throws InterruptedException {
        first.await(timeout, unit);
    }

    private void lookUp() {
        next = null;
        if (closed) {
            return;
        }
        times.clear();
        unanswered.clear();
        Future<List<InetAddress>> lookUp;
        try {
            lookUp = resolver.resolveAll(host);
        } catch (Throwable e) {
            lookUp = loop.newFailedFuture(e);
        }
        lookUp.addListener((Future<List<InetAddress>> ended) -> {
            if (!closed) {
                GUARD.run(() -> ended(ended));
                first.countDown();
                lookUpAgain();
            }
        });
    }

    private void ended(Future<List<InetAddress>> lookUp) {
        if (lookUp.isSuccess()) {
            found(lookUp.getNow());
        } else {
            failed(lookUp.cause());
        }
    }

    private void found(List<InetAddress> resolved) {
        var addresses = new ArrayList<>(resolved);
        addUnanswered(DnsRecordType.AAAA, Inet6Address.class, addresses.size(), addresses);
        addUnanswered(DnsRecordType.A, Inet4Address.class, 0, addresses);
        last = addresses;
        if (failures > 0) {
            log.info("{} resolves again: {}", host, addresses);
        }
        failures = 0;
        listener.accept(addresses);
    }

    private void addUnanswered(DnsRecordType type, Class<? extends InetAddress> kind, int at,
                               List<InetAddress> addresses) {
        if (unanswered.contains(type) && addresses.stream().noneMatch(kind::isInstance)) {
            addresses.addAll(at, last.stream().filter(kind::isInstance).toList());
        }
    }

    private void failed(Throwable cause) {
        failures++;
        if (failures == 1 && WARNING.tryTake()) {
            log.warn("{} does not resolve: {}; its last known addresses stay in use, and it is looked up "
                    + "again: check the name, and the DNS servers of the system or in dns-servers",
                    host, cause.toString());
        }
    }

    private void lookUpAgain() {
        long seconds = failures == 0 ? times.shortestSeconds() : 1L << Math.min(failures - 1, 5);
        next = loop.schedule(this::lookUp, Math.clamp(seconds, MIN_SECONDS, MAX_SECONDS),
                TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        loop.execute(() -> {
            closed = true;
            if (next != null) {
                next.cancel(false);
            }
            resolver.close();
        });
    }
}
