package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.server.BareServer;
import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.TomcatServer;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The gateway and the servers that it is compared with, all with the same responses to the same requests. */
record Peers(ConfigFile config) implements AutoCloseable {

    static final Variant OURS = new Variant("ours", Map.of());
    static final Variant BARE = new Variant("bare Netty", Map.of());
    static final Variant TOMCAT = new Variant("Tomcat, platform threads", Map.of());
    static final Variant TOMCAT_VIRTUAL = new Variant("Tomcat, virtual threads", Map.of());
    static final List<Variant> ALL = List.of(OURS, BARE, TOMCAT, TOMCAT_VIRTUAL);

    /** The notes below each table. */
    static final String NOTES = """
            Medians of the rounds, in which the servers alternate, each in a fresh process; max is the
            largest, errors are all of them, success is the share of requests that were answered with 200. CPU
            is that of the server's process for each answer, its compilers included. All JVMs have the same
            options, and an H2 of their own behind HikariCP with 10 connections. Bare Netty is
            `HttpServerCodec` and one handler on 2 event loops, which computes there and waits by their
            timers, and one for queries, added with `DefaultEventExecutorGroup(10)`; its backlog is the
            gateway's. In Tomcat, a servlet does each of these on the request's thread. It is as it comes (at
            most 200 platform threads, a backlog of 100), but that it keeps a connection for any number of
            requests, and as many as come.""";

    static Peers configured() throws IOException {
        return new Peers(ConfigFile.of("compare.conf"));
    }

    ServerProcess start(Workbench bench, Variant variant) throws IOException, InterruptedException {
        if (variant.equals(OURS)) {
            return bench.start(config, variant);
        }
        return variant.equals(BARE)
                ? ServerProcess.startBare(variant, BareServer.Kind.BENCHMARK)
                : ServerProcess.startTomcat(variant, variant.equals(TOMCAT)
                        ? TomcatServer.Threads.PLATFORM : TomcatServer.Threads.VIRTUAL, Optional.empty());
    }

    @Override
    public void close() throws IOException {
        config.close();
    }
}
