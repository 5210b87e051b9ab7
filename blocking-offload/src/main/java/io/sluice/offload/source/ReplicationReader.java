package io.sluice.offload.source;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.topic.SourceConfig;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.replication.LogSequenceNumber;

/**
 * Reads changes of tables from a replication slot, and confirms a transaction when the sink has its messages.
 * A slot has one consumer: readers of other nodes wait until it is free.
 */
final class ReplicationReader implements MessageReader {
    private static final long FIRST_WAIT_MILLIS = 1;
    /** The longest wait for a change, which nothing ends: the driver cannot wait for some time. */
    private static final long MAX_WAIT_MILLIS = 16;
    /** The time in which the database reads a confirmation; it looks for none after the end. */
    private static final long NOTICE_MILLIS = 100;

    private final SourceConfig config;
    private final SlotConnections connections;
    private final ChangedRows rows;
    private final HandOver<ChangePlace> handOver;
    private final StopSignal stop;
    private final SourceCounts counts;
    private PgOutput decoder = new PgOutput();
    /** The last message that the sink has, and before which it has all; null if there is none. */
    private @Nullable ChangePlace taken;
    /** The cluster and timeline to which {@link #taken} belongs. */
    private String timeline = "";
    private boolean inTransaction;
    /** The position up to which the sink has all messages, or nothing was of interest. */
    private long confirmed;
    /** The position after the last transaction that was read. */
    private long read;

    ReplicationReader(SourceConfig config, DatabaseConfig database, MessageSink sink, StopSignal stop,
                      SourceCounts counts) {
        this.config = config;
        this.stop = stop;
        this.counts = counts;
        connections = new SlotConnections(config, database, stop);
        rows = new ChangedRows(config);
        handOver = new HandOver<>(sink, config.deadline(), stop);
    }

    /** Reads for the poll interval, after a check of the slot. */
    @Override
    public void read() throws SQLException, SourceException, InterruptedException {
        SlotConnections.Slot slot = connections.slot();
        counts.lagBytes(slot.lagBytes());
        if (!connections.isStarted() && (slot.active() || !start())) {
            counts.active(false);
            stop.await(config.pollInterval().toMillis());
            return;
        }
        counts.active(true);
        boolean done = false;
        try {
            readChanges();
            done = true;
        } finally {
            if (!done) {
                noteTaken();
                disconnect(); // the next connection begins with the first change that is not confirmed
            }
        }
    }

    /** Starts the stream; returns false if another node was faster. */
    private boolean start() throws SQLException {
        handOver.clear();
        decoder = new PgOutput();
        inTransaction = false;
        confirmed = 0;
        read = 0;
        if (!connections.start()) {
            return false;
        }
        if (!connections.timeline().equals(timeline)) {
            timeline = connections.timeline();
            taken = null; // positions in another log
        }
        return true;
    }

    private void readChanges() throws SQLException, SourceException, InterruptedException {
        long end = System.nanoTime() + config.pollInterval().toNanos();
        long wait = FIRST_WAIT_MILLIS;
        while (!stop.isGiven() && System.nanoTime() - end < 0) {
            ByteBuffer message = connections.readPending();
            if (message == null) {
                settle();
                stop.await(wait);
                wait = Math.min(2 * wait, MAX_WAIT_MILLIS);
            } else {
                wait = FIRST_WAIT_MILLIS;
                try {
                    process(decoder.read(message));
                } catch (SourceException | RuntimeException e) {
                    confirmBefore(e);
                    throw e;
                }
                if (handOver.isFull(config.batchRows(), config.batchSize().bytes())) {
                    settle();
                }
            }
        }
        settle();
        if (stop.isGiven()) {
            connections.confirmNow();
        }
    }

    private void process(LogMessage message)
            throws SQLException, SourceException, InterruptedException {
        switch (message) {
            case LogMessage.Begin begin -> {
                inTransaction = true;
                rows.begin(begin);
            }
            case LogMessage.Change change -> handOver(rows.of(change));
            case LogMessage.Truncate truncate -> {
                for (Relation relation : truncate.relations()) {
                    handOver(rows.ofTruncate(relation));
                }
            }
            case LogMessage.Commit commit -> {
                inTransaction = false;
                read = commit.end();
            }
            case LogMessage.Other() -> { }
        }
    }

    private void handOver(@Nullable Message message)
            throws SQLException, SourceException, InterruptedException {
        ChangePlace place = rows.place();
        if (message != null && (taken == null || taken.compareTo(place) < 0)) {
            while (!handOver.send(place, message)) {
                if (handOver.sent().isEmpty()) {
                    throw handOver.tooSlow();
                }
                settle();
            }
        }
    }

    /** Waits until the sink has all messages so far, and confirms the transactions that have ended. */
    private void settle() throws SQLException, SourceException, InterruptedException {
        awaitSink();
        if (!inTransaction) {
            read = Math.max(read, connections.received().asLong());
        }
        confirm();
    }

    /**
     * Confirms the transactions before a change that fails. Otherwise they would come again with it, and the
     * slot could not be read with other topics for it, if these do not fit the changes before.
     */
    private void confirmBefore(Exception failure) throws InterruptedException {
        try {
            awaitSink();
            confirm();
            connections.confirmNow();
            stop.await(NOTICE_MILLIS);
        } catch (SQLException | SourceException e) {
            failure.addSuppressed(e);
        }
    }

    private void awaitSink() throws SourceException, InterruptedException {
        handOver.await();
        noteTaken();
        int number = handOver.sent().size();
        handOver.clear();
        if (number > 0) {
            counts.confirmed(number);
        }
    }

    private void confirm() {
        if (read != confirmed) {
            confirmed = read;
            connections.confirm(LogSequenceNumber.valueOf(confirmed));
        }
    }

    /** Later ones than one that was not taken are handed over again, after that. */
    private void noteTaken() {
        for (HandOver.Sent<ChangePlace> sent : handOver.sent()) {
            if (!sent.taken().isSuccess()) {
                break;
            }
            taken = sent.place();
        }
    }

    @Override
    public void disconnect() {
        connections.close();
    }

    @Override
    public void abort() {
        connections.abort();
    }

    @Override
    public String description() {
        return "slot %s of database %s".formatted(config.slot().orElseThrow(), config.database());
    }
}
