package io.sluice.handlers.presence;

import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.topic.PresenceConfig;
import io.sluice.handlers.presence.Roster.Answer;
import io.sluice.handlers.presence.Roster.Report;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Answers of the roster that requests of an interval share. Confined to the thread of {@link Presence}. */
final class SharedReads {
    /** The most answers that are shared. */
    private static final int MAX_READS = 1000;

    private final Roster roster;
    private final EventExecutor thread;
    private final int members;
    private final long interval;
    private final Map<String, Read> reads = new HashMap<>();

    private record Read(long at, CompletableFuture<byte[]> json) {
    }

    SharedReads(PresenceConfig config, Roster roster, EventExecutor thread) {
        this.roster = roster;
        this.thread = thread;
        members = config.members();
        interval = config.interval().toNanos();
    }

    /** Returns who is in a topic, as JSON, not older than an interval. */
    CompletableFuture<byte[]> read(String topic, long now) {
        Read recent = reads.get(topic);
        if (recent != null && now - recent.at < interval) {
            return recent.json;
        }
        CompletableFuture<byte[]> json = ask(topic).thenApplyAsync(SharedReads::json, thread);
        if (reads.size() < MAX_READS) {
            reads.put(topic, new Read(now, json));
        }
        return json;
    }

    private CompletableFuture<Answer> ask(String topic) {
        return roster.report(topic, Report.question(members)).thenComposeAsync(
                answer -> answer.more() ? ask(topic) : CompletableFuture.completedFuture(answer), thread);
    }

    private static byte[] json(Answer answer) {
        if (answer.state() == null) {
            throw new IllegalStateException("an answer of the roster without a state");
        }
        return answer.state().json();
    }

    /** Drops the answers that are older than an interval. */
    void expire(long now) {
        reads.values().removeIf(read -> now - read.at >= interval);
    }
}
