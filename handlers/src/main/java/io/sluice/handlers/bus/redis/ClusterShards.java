package io.sluice.handlers.bus.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.topic.BusUrl;
import io.sluice.handlers.topic.BusObserver;
import io.sluice.offload.Guard;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers of a cluster, and the slots that each has. It asks for the slots when it begins, when a server
 * says that it does not have one, and regularly, sooner while a server cannot be reached. All else than
 * {@link #commands} and {@link #problem} is confined to the executor.
 */
final class ClusterShards implements RedisServers {
    private static final Logger log = LoggerFactory.getLogger(ClusterShards.class);
    private static final Guard GUARD = new Guard(log,
            "the slots of a cluster could not be asked for; they are asked for again");
    private static final long CHECK_MILLIS = 1000;
    /** The time for which a server is waited for, before another one is asked. */
    private static final long ANSWER_MILLIS = 5000;
    /** The number of checks after which one asks for the shards although none has failed. */
    private static final int CHECKS_BETWEEN = 30;

    private final String bus;
    private final BusUrl seeds;
    private final RedisConnector connector;
    private final EventExecutor executor;
    private final Receiver receiver;
    private final BusObserver observer;
    private final Map<BusUrl.Server, RedisShard> shards = new HashMap<>();
    /** The shard on which each channel is subscribed; null while its slot has none. */
    private final Map<String, @Nullable RedisShard> channels = new HashMap<>();
    private volatile @Nullable RedisShard[] slots = new RedisShard[SlotHash.SLOT_COUNT];
    private volatile List<RedisShard> inUse = List.of();
    private volatile @Nullable String problem = "the slots of the cluster are not known yet";
    private @Nullable Future<?> timer;
    /** The failure that was logged last; null after a success. */
    private @Nullable String logged;
    private boolean asking;
    /** The server whose table is in use; null before the first one. */
    private BusUrl.@Nullable Server believed;
    private int checks;

    ClusterShards(String bus, BusUrl seeds, RedisConnector connector, EventExecutor executor,
                  Receiver receiver, BusObserver observer) {
        this.bus = bus;
        this.seeds = seeds;
        this.connector = connector;
        this.executor = executor;
        this.receiver = receiver;
        this.observer = observer;
    }

    @Override
    public void open() {
        executor.execute(() -> {
            timer = executor.scheduleWithFixedDelay(() -> GUARD.run(this::askIfDue), CHECK_MILLIS,
                    CHECK_MILLIS, TimeUnit.MILLISECONDS);
            ask(false);
        });
    }

    private void askIfDue() {
        boolean doubt = problem() != null;
        if (++checks % CHECKS_BETWEEN == 0 || doubt) {
            ask(doubt);
        }
    }

    @Override
    public @Nullable StatefulRedisConnection<String, byte[]> commands(String key) {
        RedisShard shard = slots[SlotHash.getSlot(key)];
        return shard == null ? null : shard.commands(key);
    }

    @Override
    public @Nullable String problem() {
        return problem != null ? problem
                : inUse.stream().map(RedisShard::problem).filter(Objects::nonNull).findAny().orElse(null);
    }

    @Override
    public @Nullable String problem(String key) {
        RedisShard shard = slots[SlotHash.getSlot(key)];
        return shard == null ? problem() : shard.problem();
    }

    @Override
    public void moved() {
        executor.execute(() -> ask(true));
    }

    /**
     * Asks the known servers for the slots until one knows a master of each, unless that is being done. One
     * that has lost its place in the cluster may know none.
     *
     * @param doubt whether the server that was believed last is asked last, else it is asked first
     */
    private void ask(boolean doubt) {
        if (asking) {
            return;
        }
        var known = new LinkedHashSet<>(shards.keySet());
        known.addAll(seeds.servers());
        if (believed != null && known.remove(believed)) {
            if (doubt) {
                known.addLast(believed);
            } else {
                known.addFirst(believed);
            }
        }
        asking = true;
        ask(new SlotSearch(known));
    }

    private void ask(SlotSearch search) {
        if (search.left.isEmpty()) {
            asking = false;
            GUARD.run(() -> end(search));
            return;
        }
        BusUrl.Server server = search.left.removeFirst();
        try {
            connector.commands(url(server)).thenCompose(connection -> connection.async().clusterSlots()
                    .toCompletableFuture().orTimeout(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                    .whenComplete((_, _) -> connection.closeAsync()))
                    .whenCompleteAsync((answer, failure) ->
                            answered(search, server, answer, failure), executor);
        } catch (Throwable e) { // the password file cannot be read, for example
            answered(search, server, null, e);
        }
    }

    private void answered(SlotSearch search, BusUrl.Server server, @Nullable List<Object> answer,
                          @Nullable Throwable failure) {
        if (timer == null) {
            return; // closed
        }
        if (failure != null || answer == null) {
            failed(search, server, failure);
            return;
        }
        SlotTable table;
        try {
            table = SlotTable.of(answer, server);
        } catch (RuntimeException e) { // it is not as expected
            failed(search, server, e);
            return;
        }
        search.answered(table);
        ask(search);
    }

    private void failed(SlotSearch search, BusUrl.Server server, @Nullable Throwable failure) {
        search.failed = true;
        Throwable cause = failure == null || failure.getCause() == null ? failure : failure.getCause();
        String text = server + ": " + cause;
        if (!text.equals(logged)) {
            logged = text;
            log.warn("bus {}: no slots of the cluster from {}; another server is asked: check "
                    + "that the servers run, and url, username and password-file of the bus", bus, text);
        }
        if (shards.isEmpty()) {
            problem = text;
        }
        ask(search);
    }

    /** Uses the best answer, unless a server that does not answer may have the better one that is in use. */
    private void end(SlotSearch search) {
        SlotTable best = search.best();
        if (best != null && (best.isWhole() || problem != null || !search.failed)) {
            logged = null;
            believed = best.told();
            use(best);
        }
    }

    private void use(SlotTable table) {
        var next = new @Nullable RedisShard[SlotHash.SLOT_COUNT];
        var used = new HashSet<BusUrl.Server>();
        for (SlotTable.Range range : table.ranges()) {
            used.add(range.master());
            RedisShard shard = shards.computeIfAbsent(range.master(), this::start);
            Arrays.fill(next, range.first(), range.last() + 1, shard);
        }
        slots = next;
        channels.keySet().forEach(this::place);
        shards.entrySet().removeIf(entry -> {
            boolean unused = !used.contains(entry.getKey());
            if (unused) {
                entry.getValue().close();
            }
            return unused;
        });
        inUse = List.copyOf(shards.values());
        // Last: a bus without a problem has the problems of its shards.
        problem = !table.isWhole() ? "a slot has no server" : null;
        receiver.opened();
    }

    private RedisShard start(BusUrl.Server server) {
        var shard = new RedisShard(bus, url(server), connector, executor, new Asking(), observer, true);
        shard.open();
        return shard;
    }

    /** Asks for the slots when a connection is lost, or a slot has moved. */
    private final class Asking implements Receiver {
        @Override
        public void opened() {
            receiver.opened();
        }

        @Override
        public void subscribed(String channel) {
            receiver.subscribed(channel);
        }

        @Override
        public void message(String channel, byte[] frame) {
            receiver.message(channel, frame);
        }

        @Override
        public void lost(String channel) {
            receiver.lost(channel);
            ask(true);
        }
    }

    private BusUrl url(BusUrl.Server server) {
        return new BusUrl(seeds.secure(), List.of(server), 0, Optional.empty());
    }

    /** Subscribes a channel on the shard that has its slot. */
    private void place(String channel) {
        RedisShard shard = slots[SlotHash.getSlot(channel)];
        RedisShard before = channels.put(channel, shard);
        if (Objects.equals(before, shard)) {
            return;
        }
        if (before != null) {
            before.unsubscribe(channel);
            receiver.lost(channel);
        }
        if (shard != null) {
            shard.subscribe(channel);
        }
    }

    @Override
    public void subscribe(String channel) {
        executor.execute(() -> place(channel));
    }

    @Override
    public void unsubscribe(String channel) {
        executor.execute(() -> {
            RedisShard shard = channels.remove(channel);
            if (shard != null) {
                shard.unsubscribe(channel);
            }
        });
    }

    @Override
    public CompletableFuture<Void> close() {
        return CompletableFuture.supplyAsync(() -> {
            if (timer != null) {
                timer.cancel(false);
                timer = null;
            }
            problem = "closed";
            return CompletableFuture.allOf(shards.values().stream().map(RedisShard::close)
                    .toArray(CompletableFuture[]::new));
        }, executor).thenCompose(closed -> closed);
    }
}
