package io.sluice.handlers.bus.redis;

import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.topic.BusUrl;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Listens to a Sentinel for another master in place of the present one. A master that is replaced on purpose
 * takes messages from those who are connected to it for 10 s more, which the new one never has. Confined to
 * the executor of the bus.
 */
final class SentinelWatch implements RedisLink.Listener<StatefulRedisPubSubConnection<String, byte[]>> {
    /** The channel of a Sentinel with {@code NAME OLD-HOST OLD-PORT HOST PORT}. */
    private static final String SWITCHED = "+switch-master";
    private static final int PARTS = 5;

    private final String master;
    private final EventExecutor executor;
    private final Runnable changed;
    private final RedisLink<StatefulRedisPubSubConnection<String, byte[]>> link;
    /** The host and port that the Sentinel has told last; empty before. */
    private String address = "";

    /**
     * A watch that is not open.
     *
     * @param master the name of the master
     * @param changed runs on the executor each time that the Sentinel tells another address
     */
    SentinelWatch(String bus, String master, BusUrl sentinel, RedisConnector connector,
                  EventExecutor executor, Runnable changed) {
        this.master = master;
        this.executor = executor;
        this.changed = changed;
        link = new RedisLink<>("bus " + bus + ", " + sentinel + ", Sentinel",
                "another master is noticed up to 10 s later", executor, () -> connector.sentinel(sentinel),
                connection -> connection.async().ping(), this);
    }

    void open() {
        link.open();
    }

    @Override
    public CompletionStage<?> prepare(StatefulRedisPubSubConnection<String, byte[]> opened, boolean again) {
        opened.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, byte[] message) {
                executor.execute(() -> switched(text(message).split(" ", -1)));
            }
        });
        return opened.async().subscribe(SWITCHED).thenCompose(_ -> ask(opened))
                .thenAcceptAsync(this::isAt, executor);
    }

    private CompletionStage<List<byte[]>> ask(StatefulRedisPubSubConnection<String, byte[]> opened) {
        RedisCodec<String, byte[]> codec = RedisConnector.CODEC;
        return opened.async().dispatch(CommandType.SENTINEL, new ValueListOutput<>(codec),
                new CommandArgs<>(codec).add("GET-MASTER-ADDR-BY-NAME").add(master));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void switched(String[] parts) {
        if (parts.length == PARTS && parts[0].equals(master)) {
            address = parts[3] + ' ' + parts[4];
            changed.run();
        }
    }

    /** Takes note of the address at the beginning of a connection: it may have changed without one. */
    private void isAt(List<byte[]> hostAndPort) {
        String before = address;
        address = hostAndPort.stream().map(SentinelWatch::text).collect(Collectors.joining(" "));
        if (!before.isEmpty() && !before.equals(address)) {
            changed.run();
        }
    }

    @Override
    public void opened(StatefulRedisPubSubConnection<String, byte[]> opened) {
        // It is subscribed already.
    }

    @Override
    public void lost() {
        // The address is asked for when there is a connection again.
    }

    /** Closes the watch. */
    CompletableFuture<Void> close() {
        return link.close();
    }
}
