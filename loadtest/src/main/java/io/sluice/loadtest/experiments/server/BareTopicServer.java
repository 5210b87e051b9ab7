package io.sluice.loadtest.experiments.server;

import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A plain Netty server with one topic, the baseline for a gateway's fan-out: WebSockets on {@code /ws/},
 * publishers by POST. With a Redis, several of them share the topic by its PUBLISH, with Lettuce. It keeps
 * no messages, has no positions, and does not notice what it has missed.
 */
public final class BareTopicServer {

    private static final int LOOPS = 2;
    private static final int MAX_BODY = 1 << 20;
    private static final String CHANNEL = "news";
    private static final WebSocketServerProtocolConfig SOCKETS = WebSocketServerProtocolConfig.newBuilder()
            .websocketPath("/ws")
            .checkStartsWith(true)
            .build();

    private BareTopicServer() {}

    /**
     * Serves a free port of 127.0.0.1, whose number it prints as the gateway does.
     *
     * @param args the URL of a Redis, if there is one
     */
    public static void main(String[] args) throws InterruptedException {
        var topic = new BareTopic();
        var publisher = args.length == 0 ? alone(topic) : shared(topic, args[0]);
        BarePort.serve(0, LOOPS, pipeline -> pipeline.addLast(
                new HttpServerCodec(),
                new HttpObjectAggregator(MAX_BODY),
                new WebSocketServerProtocolHandler(SOCKETS),
                new BareTopicHandler(topic, publisher)));
    }

    private static BareTopicHandler.Publisher alone(BareTopic topic) {
        return (text, done) -> {
            topic.deliver(Unpooled.wrappedBuffer(text));
            done.run();
        };
    }

    private static BareTopicHandler.Publisher shared(BareTopic topic, String redis) {
        var codec = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);
        var client = RedisClient.create(redis);
        var messages = client.connectPubSub(codec);
        messages.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, byte[] text) {
                topic.deliver(Unpooled.wrappedBuffer(text));
            }
        });
        messages.sync().subscribe(CHANNEL);
        var commands = client.connect(codec).async();
        return (text, done) -> commands.publish(CHANNEL, text).thenRun(done);
    }

    /**
     * Starts it in a JVM with the gateway's options; blocks until it serves.
     *
     * @throws IllegalStateException where it does not, with what it printed last
     */
    public static ServerProcess start(Variant variant, Optional<String> redis)
            throws IOException, InterruptedException {
        var command = JavaCommand.of("--enable-native-access=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), BareTopicServer.class.getName());
        redis.ifPresent(command::add);
        return ServerProcess.start("the bare server", variant, List.copyOf(command), Confinement.NONE);
    }
}
