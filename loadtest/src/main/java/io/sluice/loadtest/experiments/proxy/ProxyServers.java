package io.sluice.loadtest.experiments.proxy;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.server.BareProxy;
import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.InstalledProxy;
import io.sluice.loadtest.experiments.server.ReactorProxy;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.TlsFiles;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The proxies that are compared, and the origin behind them. Deletes its files when it is closed. */
record ProxyServers(ServerProcess origin, TlsFiles certificate, Path folder) implements AutoCloseable {

    static final Variant OURS = new Variant("ours", Map.of());
    static final Variant NGINX = new Variant("nginx", Map.of());
    static final Variant HAPROXY = new Variant("HAProxy", Map.of());
    static final Variant BARE = new Variant("bare Netty", Map.of());
    static final Variant REACTOR = new Variant("Reactor Netty", Map.of());
    static final List<Variant> ALL = List.of(OURS, NGINX, HAPROXY, BARE, REACTOR);

    private static final Map<Variant, InstalledProxy> INSTALLED =
            Map.of(NGINX, InstalledProxy.NGINX, HAPROXY, InstalledProxy.HAPROXY);

    /** Starts the origin. */
    static ProxyServers start(Workbench bench) throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("sluice-proxies-");
        return new ProxyServers(ServerProcess.startOrigin(), TlsFiles.in(folder, bench.jar()), folder);
    }

    /** Returns whether a proxy can be started here. */
    static boolean isInstalled(Variant variant) {
        return !INSTALLED.containsKey(variant) || INSTALLED.get(variant).program().isPresent();
    }

    /** Starts a proxy; returns when it serves. */
    ServerProcess start(Workbench bench, Variant variant, boolean speaksTls)
            throws IOException, InterruptedException {
        var tls = speaksTls ? Optional.of(certificate) : Optional.<TlsFiles>empty();
        if (variant.equals(BARE)) {
            return ServerProcess.startProxy(variant, BareProxy.command(origin.port(), tls));
        }
        if (variant.equals(REACTOR)) {
            return ServerProcess.startProxy(variant, ReactorProxy.command(origin.port(), tls));
        }
        if (INSTALLED.containsKey(variant)) {
            return ServerProcess.startInstalled(
                    variant, INSTALLED.get(variant), origin.port(), tls, folder);
        }
        try (var config = config(tls)) {
            return bench.start(config, variant);
        }
    }

    private ConfigFile config(Optional<TlsFiles> tls) throws IOException {
        return ConfigFile.of("proxy.conf",
                "sluice.upstreams.origin.endpoints = [\"http://127.0.0.1:%d\"]".formatted(origin.port()),
                tls.map(TlsFiles::config).orElse(""));
    }

    @Override
    public void close() throws IOException {
        origin.close();
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
