package io.sluice.loadtest.experiments.nodes;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * Clients that follow some topics, evenly spread over topics and gateways; each tenth reads an event
 * stream, the others have WebSockets.
 */
final class FollowerCrowd implements AutoCloseable {

    private static final int EVENTS = 10;
    private static final int OPENED_AT_ONCE = 100;
    private static final long LOOK_MILLIS = 20;
    /** Messages are counted for each fraction of a second since the beginning. */
    static final int BINS_A_SECOND = 2;
    private static final int BINS = 10 * 60 * BINS_A_SECOND;

    private final List<TopicLedger> ledgers;
    private final List<Follower> followers = new ArrayList<>();
    private final long begin = System.nanoTime();
    private final AtomicLongArray arrivals = new AtomicLongArray(BINS);
    private final AtomicLong lastLate = new AtomicLong(begin);

    private FollowerCrowd(List<TopicLedger> ledgers) {
        this.ledgers = ledgers;
    }

    /** Connects so many clients; blocks until each has a position. */
    static FollowerCrowd open(Nodes nodes, List<TopicLedger> ledgers, int clients)
            throws InterruptedException {
        var crowd = new FollowerCrowd(ledgers);
        for (int number = 0; number < clients; number++) {
            var followed = new FollowedTopic(ledgers.get(number % ledgers.size()), crowd::arrived);
            // Divided, so that each topic has clients of each gateway.
            crowd.followers.add(new Follower(nodes::port, number / ledgers.size(),
                    number / ledgers.size() % EVENTS == 0, followed));
            if (number % OPENED_AT_ONCE == OPENED_AT_ONCE - 1) {
                crowd.awaitPositions();
            }
        }
        crowd.awaitPositions();
        return crowd;
    }

    private void awaitPositions() throws InterruptedException {
        for (var follower : followers) {
            while (follower.followed().position().isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // it has to be polled
            }
        }
    }

    private void arrived(boolean late) {
        long now = System.nanoTime();
        arrivals.incrementAndGet((int) Math.min(BINS - 1,
                BINS_A_SECOND * (now - begin) / TimeUnit.SECONDS.toNanos(1)));
        if (late) {
            lastLate.accumulateAndGet(now, Math::max);
        }
    }

    /** The time of the last message that came late, by {@link System#nanoTime}. */
    long lastLate() {
        return lastLate.get();
    }

    /** The messages that arrived in each bin from a time on. */
    long[] arrivalsSince(long time, int bins) {
        int first = (int) (BINS_A_SECOND * (time - begin) / TimeUnit.SECONDS.toNanos(1));
        return IntStream.range(first, first + bins).mapToLong(arrivals::get).toArray();
    }

    /** Returns whether each client is at the end of its topic. */
    boolean isComplete(List<String> ends) {
        return IntStream.range(0, followers.size()).allMatch(number ->
                followers.get(number).followed().isAt(ends.get(number % ledgers.size())));
    }

    /** The sum over all clients; {@code ends} are the last positions of the topics. */
    MessageTally tally(List<String> ends) {
        var sum = MessageTally.NONE;
        for (int number = 0; number < followers.size(); number++) {
            sum = sum.plus(followers.get(number).followed().tally(ends.get(number % ledgers.size())));
        }
        return sum;
    }

    @Override
    public void close() {
        followers.forEach(Follower::close);
    }
}
