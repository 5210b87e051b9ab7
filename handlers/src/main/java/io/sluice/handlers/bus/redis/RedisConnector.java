package io.sluice.handlers.bus.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Transports;
import io.netty.channel.ReflectiveChannelFactory;
import io.netty.channel.socket.SocketChannel;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.config.topic.BusConfig;
import io.sluice.config.topic.BusUrl;
import io.sluice.handlers.upstream.names.ChannelFactories;
import io.sluice.handlers.upstream.names.Resolvers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Opens connections to the servers of a bus, on two threads of its own.
 *
 * <p>The driver neither connects again nor sends a command again: after a connection is lost it cannot know
 * whether the server has run what it had sent.
 */
final class RedisConnector implements AutoCloseable {
    static final RedisCodec<String, byte[]> CODEC =
            RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);
    private static final int THREADS = 2;
    /** The commands besides publications and reads, each of which has a limit of its own. */
    private static final int OTHER_COMMANDS = 1000;
    private static final long CLOSE_MILLIS = 2000;

    static {
        // Otherwise the driver warns for each connection that it prefers epoll to io_uring.
        if (System.getProperty("io.lettuce.core.iouring") == null) {
            System.setProperty("io.lettuce.core.iouring", "false");
        }
    }

    private final BusConfig config;
    private final ClientResources resources;
    private final RedisClient client;

    /** A connector for a bus of this name. */
    RedisConnector(String name, BusConfig config) {
        this.config = config;
        // Ahead of the driver's classes, which load the reader of the hosts file.
        var resolvers = new DnsAddressResolverGroup(Resolvers.builder(new ChannelFactories(
                new ReflectiveChannelFactory<>(Transports.datagramChannelClass()),
                new ReflectiveChannelFactory<>(
                        Transports.socketChannelClass().asSubclass(SocketChannel.class)))));
        resources = DefaultClientResources.builder()
                .addressResolverGroup(resolvers)
                .ioThreadPoolSize(THREADS)
                .computationThreadPoolSize(THREADS)
                .threadFactoryProvider(pool -> new DefaultThreadFactory("bus-" + name, true))
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .build();
        client = RedisClient.create(resources);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(2 * config.queueLimit() + OTHER_COMMANDS)
                .protocolVersion(ProtocolVersion.RESP3) // messages are apart from replies
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .socketOptions(SocketOptions.builder().connectTimeout(config.connectTimeout())
                        .keepAlive(true).build())
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .sslOptions(ssl(config))
                .build());
    }

    private static SslOptions ssl(BusConfig config) {
        SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider()
                .handshakeTimeout(config.connectTimeout());
        config.tls().ca().ifPresent(ca -> ssl.trustManager(ca.path().toFile()));
        config.tls().certificate().ifPresent(certificate -> ssl.keyManager(certificate.path().toFile(),
                config.tls().privateKey().orElseThrow().path().toFile(), null));
        return ssl.build();
    }

    /** Opens a connection for commands to a server. Reads the file with the password, which blocks. */
    CompletionStage<StatefulRedisConnection<String, byte[]>> commands(BusUrl url) throws IOException {
        return client.connectAsync(CODEC, uri(url));
    }

    /** Opens a connection for messages to a server. Reads the file with the password, which blocks. */
    CompletionStage<StatefulRedisPubSubConnection<String, byte[]>> messages(BusUrl url) throws IOException {
        return client.connectPubSubAsync(CODEC, uri(url));
    }

    /** Opens a connection for messages to a Sentinel, which has no password. */
    CompletionStage<StatefulRedisPubSubConnection<String, byte[]>> sentinel(BusUrl url) {
        BusUrl.Server server = url.servers().getFirst();
        return client.connectPubSubAsync(CODEC, RedisURI.builder().withHost(server.host())
                .withPort(server.port()).withSsl(url.secure()).withTimeout(config.connectTimeout()).build());
    }

    private RedisURI uri(BusUrl url) throws IOException {
        BusUrl.Server first = url.servers().getFirst();
        RedisURI.Builder uri = url.master().isEmpty() ? RedisURI.builder().withHost(first.host())
                .withPort(first.port()) : RedisURI.builder().withSentinelMasterId(url.master().get());
        if (url.master().isPresent()) {
            for (BusUrl.Server server : url.servers()) {
                uri.withSentinel(RedisURI.builder().withHost(server.host()).withPort(server.port())
                        .withSsl(url.secure()).build());
            }
        }
        uri.withSsl(url.secure()).withDatabase(url.database()).withTimeout(config.connectTimeout())
                .withClientName("sluice");
        if (config.passwordFile().isPresent()) {
            char[] password = firstLine(config.passwordFile().get().path()).toCharArray();
            if (config.username().isPresent()) {
                uri.withAuthentication(config.username().get(), password);
            } else {
                uri.withPassword(password);
            }
        }
        return uri.build();
    }

    private static String firstLine(Path file) throws IOException {
        return Files.readString(file).lines().findFirst().orElse("");
    }

    @Override
    public void close() {
        client.shutdown(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        resources.shutdown(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS);
    }
}
