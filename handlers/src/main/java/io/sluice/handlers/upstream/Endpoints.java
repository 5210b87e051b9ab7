package io.sluice.handlers.upstream;

import io.netty.util.NetUtil;
import io.sluice.config.UpstreamConfig;
import io.sluice.config.type.EndpointUrl;
import io.sluice.config.type.IpLiteral;
import io.sluice.config.type.NameServer;
import io.sluice.config.type.WeightedEndpoint;
import io.sluice.handlers.upstream.check.HealthCheck;
import io.sluice.handlers.upstream.connect.TcpConnector;
import io.sluice.handlers.upstream.connect.UpstreamTls;
import io.sluice.handlers.upstream.names.NameWatch;
import io.sluice.offload.Permits;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of an upstream as its names resolve. A URL is one endpoint, whose name may have several
 * addresses; with {@code dns} each address is one. Changes are made on the background event loop; any thread
 * may read.
 */
final class Endpoints implements AutoCloseable {
    private final String upstream;
    private final UpstreamConfig config;
    private final Permits permits;
    private final UpstreamNetwork network;
    private final UpstreamTls tls;
    private final UpstreamObserver observer;
    /** Closes the connections to an endpoint that has lost an address. */
    private final Consumer<Endpoint> disconnect;
    private final List<NameWatch> names = new ArrayList<>();
    private final Map<Endpoint, HealthCheck> checks = new HashMap<>();
    private boolean closed;
    /** All endpoints, including those without an address and those that are drained. */
    private volatile List<Endpoint> all = List.of();
    private volatile LoadBalancer balancer = LoadBalancer.EMPTY;

    Endpoints(String upstream, UpstreamConfig config, Permits permits, UpstreamNetwork network,
              UpstreamTls tls, UpstreamObserver observer, Consumer<Endpoint> disconnect) {
        this.upstream = upstream;
        this.config = config;
        this.permits = permits;
        this.network = network;
        this.tls = tls;
        this.observer = observer;
        this.disconnect = disconnect;
    }

    /**
     * Adds the configured endpoints, and starts look-ups and checks.
     *
     * @param former the endpoints that these replace, whose addresses stay in use until the first successful
     *     look-up; null for none
     */
    void start(@Nullable Endpoints former) {
        var known = new ArrayList<Endpoint>();
        for (WeightedEndpoint configured : config.endpoints().orElse(Set.of())) {
            EndpointUrl url = configured.url();
            var endpoint = endpoint(url.toString(), url, configured.weight());
            InetAddress literal = IpLiteral.parse(url.host());
            if (literal != null) {
                endpoint.addresses().set(List.of(new InetSocketAddress(literal, url.port())));
            }
            known.add(endpoint);
        }
        use(known);
        config.dns().ifPresent(url -> watch(url, former, found -> syncWithDns(url, found)));
        for (Endpoint endpoint : known) {
            if (endpoint.addresses().all().isEmpty()) {
                watch(endpoint.url(), former, found -> change(endpoint, found));
            }
        }
        network.background().execute(() -> all.forEach(this::check));
    }

    private Endpoint endpoint(String id, EndpointUrl url, int weight) {
        return new Endpoint(upstream, config, id, url, weight, permits::hasSeveralClients,
                network.clock());
    }

    private void watch(EndpointUrl url, @Nullable Endpoints former,
                       Consumer<List<InetSocketAddress>> change) {
        var source = new NameWatch.Source(network.background(), network.channels(),
                config.dnsServers().orElse(Set.of()).stream().map(NameServer::socketAddress).toList());
        List<InetAddress> known = former == null ? List.of() : former.addresses(url.host());
        names.add(new NameWatch(url.host(), source, known, found -> {
            if (!closed) {
                change.accept(found.stream()
                        .map(address -> new InetSocketAddress(address, url.port())).toList());
            }
        }));
    }

    /** Waits until each name has been looked up, or until the time is up. Blocks; not on an event loop. */
    void awaitNames(long timeout, TimeUnit unit) throws InterruptedException {
        long end = System.nanoTime() + unit.toNanos(timeout);
        for (NameWatch name : names) {
            name.awaitFirst(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        }
    }

    /** Returns the last known addresses of a name; empty if there are none. */
    List<InetAddress> addresses(String host) {
        return names.stream().filter(name -> name.host().equals(host)).map(NameWatch::addresses).findFirst()
                .orElse(List.of());
    }

    LoadBalancer balancer() {
        return balancer;
    }

    /** Returns all, with those that have no address, and those that are drained. */
    List<Endpoint> all() {
        return all;
    }

    // --- changes, on the background event loop

    private void change(Endpoint endpoint, List<InetSocketAddress> found) {
        List<InetSocketAddress> before = endpoint.addresses().all();
        if (new HashSet<>(before).equals(new HashSet<>(found))) {
            return; // perhaps in another order: servers rotate them
        }
        endpoint.addresses().set(found);
        endpoint.moved();
        use(all);
        if (!found.containsAll(before)) {
            disconnect.accept(endpoint);
        }
    }

    private void syncWithDns(EndpointUrl url, List<InetSocketAddress> found) {
        boolean four = found.stream().anyMatch(address -> address.getAddress() instanceof Inet4Address);
        var wanted = new LinkedHashSet<>(found);
        wanted.removeIf(address -> four && !(address.getAddress() instanceof Inet4Address));
        var next = new ArrayList<Endpoint>();
        for (Endpoint endpoint : all) {
            boolean stays = !endpoint.isDraining() && wanted.remove(endpoint.addresses().preferred());
            if (!stays && !endpoint.isDraining()) {
                drain(endpoint);
            }
            if (stays || endpoint.isUsed()) {
                next.add(endpoint);
            }
        }
        boolean slowly = !all.isEmpty();
        for (InetSocketAddress address : wanted) {
            String id = "%s (%s)".formatted(url, NetUtil.toSocketAddressString(address));
            var endpoint = endpoint(id, url, 1);
            endpoint.addresses().set(List.of(address));
            if (slowly) {
                endpoint.startSlowly();
            }
            next.add(endpoint);
            check(endpoint);
        }
        if (!next.equals(all) || !wanted.isEmpty()) {
            use(next);
        }
    }

    private void drain(Endpoint endpoint) {
        endpoint.drain();
        HealthCheck check = checks.remove(endpoint);
        if (check != null) {
            check.close();
        }
        disconnect.accept(endpoint);
    }

    private void use(List<Endpoint> next) {
        all = List.copyOf(next);
        observer.endpoints(all);
        balancer = new LoadBalancer(next.stream()
                .filter(endpoint -> !endpoint.isDraining() && !endpoint.addresses().all().isEmpty()).toList(),
                config.balance());
    }

    private void check(Endpoint endpoint) {
        if (closed || config.health().isEmpty() || checks.containsKey(endpoint)) {
            return;
        }
        var target = new HealthCheck.Target(new TcpConnector.Target(endpoint.url(), endpoint.addresses(),
                _ -> { }, tls, config.proxyProtocol()), config.protocol() == UpstreamConfig.Protocol.H2C);
        checks.put(endpoint, HealthCheck.start(config.health().get(), network.background(), network.client(),
                target, new HealthCheck.Listener() {
                    @Override
                    public void passed() {
                        endpoint.checkPassed();
                    }

                    @Override
                    public void failed() {
                        endpoint.checkFailed();
                    }
                }));
    }

    @Override
    public void close() {
        names.forEach(NameWatch::close);
        network.background().execute(() -> {
            closed = true;
            checks.values().forEach(HealthCheck::close);
            checks.clear();
        });
    }
}
