package io.sluice.offload.source;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.topic.SourceConfig;
import io.sluice.offload.RareWarning;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the messages of a database to a sink, on a thread of its own: a database or a sink that is slow or
 * gone holds up this source only. After a failure it tries again, later each time.
 */
public final class TopicSource implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TopicSource.class);
    /** The time for a batch that has begun; then the connection is broken, and the database rolls it back. */
    private static final long GRACE_MILLIS = 2_000;
    private static final long BROKEN_MILLIS = 1_000;

    private final String name;
    private final StopSignal stop = new StopSignal();
    private final SourceCounts counts = new SourceCounts();
    private final MessageReader reader;
    private final Thread thread;
    private final RareWarning warnings = new RareWarning();
    private final BackOff backOff = new BackOff();
    private boolean failing;

    /**
     * A source that does nothing before {@link #start}.
     *
     * @param name the name of the topics, for messages to operators
     * @param database the database that {@code config} names
     */
    public TopicSource(String name, SourceConfig config, DatabaseConfig database, MessageSink sink) {
        this.name = name;
        reader = config.outbox().isPresent() ? new OutboxReader(config, database, sink, stop, counts)
                : new ReplicationReader(config, database, sink, stop, counts);
        thread = Thread.ofPlatform().name("source-" + name).daemon().unstarted(this::run);
    }

    /** Starts to read, in the background, unless it has started. */
    public void start() {
        if (thread.getState() == Thread.State.NEW) {
            thread.start();
        }
    }

    private void run() {
        try {
            while (!stop.isGiven()) {
                readOnce();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed, and the batch took too long
        } finally {
            counts.active(false);
            reader.disconnect();
        }
    }

    private void readOnce() throws InterruptedException {
        try {
            reader.read();
            backOff.reset();
            if (failing) {
                failing = false;
                log.info("topics {}: {} is read again", name, reader.description());
            }
        } catch (SQLException | SourceException | RuntimeException | Error e) { // an Error, too: else it ends
            if (stop.isGiven()) {
                return;
            }
            failing = true;
            counts.failed();
            if (!(e instanceof SourceException)) {
                reader.disconnect();
            }
            long wait = backOff.nextMillis();
            if (warnings.tryTake()) {
                log.warn("topics {}: {} cannot be read now, no message is lost: {}; tried again in {} ms",
                        name, reader.description(), cause(e), wait);
            }
            stop.await(wait);
        }
    }

    private static String cause(Throwable failure) {
        if (failure instanceof SQLException sql) {
            return String.valueOf(sql.getMessage()).lines().findFirst().orElse("") + Remedy.of(sql);
        }
        return failure instanceof SourceException ? String.valueOf(failure.getMessage()) : failure.toString();
    }

    /** Returns a snapshot. Any thread. */
    public SourceStats stats() {
        return counts.stats();
    }

    /** Stops reading, after a batch that has begun. Does not wait. Any thread. */
    public void stop() {
        stop.give();
    }

    /** Stops reading. Blocks until that is done, for 3 s at most. */
    @Override
    public void close() {
        stop();
        if (!hasEndedWithin(GRACE_MILLIS)) {
            thread.interrupt();
            reader.abort();
            boolean _ = hasEndedWithin(BROKEN_MILLIS);
        }
    }

    private boolean hasEndedWithin(long millis) {
        try {
            return !thread.isAlive() || thread.join(Duration.ofMillis(millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
