package io.sluice.handlers.presence;

import io.sluice.config.topic.PresenceConfig;
import io.sluice.handlers.presence.Roster.Answer;
import io.sluice.handlers.presence.Roster.Report;
import io.sluice.handlers.rights.Caller;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The members of a topic that are connected to this gateway, and what the roster knows of them. Confined to
 * the thread of {@link Presence}.
 */
final class TopicMembers {
    private final String topic;
    private final PresenceConfig config;
    private final Map<String, Member> members = new HashMap<>();
    /** Members without a connection, in the order in which they leave; some may have come back. */
    private final ArrayDeque<Leave> leaves = new ArrayDeque<>();
    /** The names to report: they join if they are members, and else leave. */
    private final Set<String> changed = new LinkedHashSet<>();
    private String gateway = newGateway();
    private int anonymous;
    private int anonymousReported;
    /** The number of the last report, and of the last one with names that the roster has. */
    private long reports;
    private long confirmed;
    private int watchers;
    /** Indicates that the state has to be published, even if it is not new. */
    private boolean announce;
    /** Indicates that the roster may have members of this gateway. */
    private boolean known;
    private boolean more;
    /** Indicates that a report is waiting or under way. */
    private boolean busy;
    private long reportedAt;
    private long answeredAt;
    /** The state that was told last; null if none was. */
    private @Nullable PresenceState state;

    private static final class Member {
        int connections;
        long leavesAt;
    }

    private record Leave(String name, long at) {
    }

    TopicMembers(String topic, PresenceConfig config, long now) {
        this.topic = topic;
        this.config = config;
        answeredAt = now;
    }

    private static String newGateway() {
        return Long.toHexString(ThreadLocalRandom.current().nextLong());
    }

    String topic() {
        return topic;
    }

    void joined(Caller caller) {
        if (caller.name() == null) {
            anonymous++;
            return;
        }
        Member member = members.get(caller.name());
        if (member == null) {
            member = new Member();
            members.put(caller.name(), member);
            changed.add(caller.name());
        }
        member.connections++;
    }

    void left(Caller caller, long now) {
        if (caller.name() == null) {
            anonymous--;
            return;
        }
        Member member = members.get(caller.name());
        if (member != null && --member.connections == 0) {
            member.leavesAt = now + config.leaveAfter().toNanos();
            leaves.add(new Leave(caller.name(), member.leavesAt));
        }
    }

    void watched() {
        watchers++;
        announce = true;
    }

    void unwatched() {
        if (--watchers == 0) {
            state = null;
        }
    }

    /** Removes the members that have been without a connection for long enough. */
    void expire(long now) {
        for (Leave next = leaves.peek(); next != null && now - next.at >= 0; next = leaves.peek()) {
            leaves.remove();
            Member member = members.get(next.name);
            if (member != null && member.connections == 0 && member.leavesAt == next.at) {
                members.remove(next.name);
                changed.add(next.name);
            }
        }
    }

    /** Returns whether there is something to report or to ask, and makes this busy with it. */
    boolean begin() {
        boolean due = !busy
                && (!changed.isEmpty() || anonymous != anonymousReported || watchers > 0 || more);
        busy |= due;
        return due;
    }

    /** Returns whether the roster has to be told now that the members are still there; makes this busy. */
    boolean beginRenewal(long now) {
        boolean due = !busy && known
                && now - reportedAt >= config.expiry().toNanos() / PresenceConfig.REPORTS;
        busy |= due;
        return due;
    }

    /** Returns a report that the members are still there. */
    Report renewal(long now) {
        reportedAt = now;
        return new Report(gateway, Set.of(), Set.of(), anonymousReported, reports, confirmed, null, 0,
                config.expiry().toMillis());
    }

    /** Returns the next report. */
    Report report(long now) {
        reportedAt = now;
        var joining = new LinkedHashSet<String>(); // in the order of their coming
        var leaving = new LinkedHashSet<String>();
        Iterator<String> names = changed.iterator();
        for (int i = 0; i < Report.MAX_NAMES && names.hasNext(); i++) {
            String name = names.next();
            (members.containsKey(name) ? joining : leaving).add(name);
            names.remove();
        }
        return new Report(gateway, joining, leaving, anonymous, ++reports, confirmed,
                state == null ? null : state.version(), watchers > 0 ? config.members() : 0,
                config.expiry().toMillis());
    }

    /** Takes back a report that has failed: the roster may have it or not. */
    void failed(Report report) {
        busy = false;
        known = true;
        changed.addAll(report.joining());
        changed.addAll(report.leaving());
    }

    /** Takes note of an answer; returns what to tell those who watch, null for nothing. */
    byte @Nullable [] answered(Report report, Answer answer, long now) {
        busy = false;
        answeredAt = now;
        boolean lost = answer.here() < 0;
        anonymousReported = lost ? -1 : report.anonymous();
        known = answer.here() != 0 || report.anonymous() > 0;
        more = answer.more();
        if (lost || !known) {
            confirmed = 0;
        } else if (report.hasNames()) {
            confirmed = report.number();
        }
        if (lost || changed.isEmpty() && answer.here() < members.size()) {
            changed.addAll(members.keySet()); // it has lost some
        }
        PresenceState next = answer.state() == null ? state : answer.state();
        if (watchers == 0 || next == null || next == state && !announce) {
            return null;
        }
        byte[] json = next.jsonSince(state == null ? next : state);
        state = next;
        announce = false;
        return json;
    }

    /**
     * Gives this gateway another id if the roster has names of it that have left; returns a report with which
     * it forgets the former one, or null.
     */
    @Nullable Report restart(Answer answer) {
        if (!changed.isEmpty() || answer.here() <= members.size()) {
            return null;
        }
        Report former = farewell(1);
        gateway = newGateway();
        confirmed = 0;
        changed.addAll(members.keySet());
        anonymousReported = 0;
        return former;
    }

    /** Returns a report with which this gateway is forgotten after a time, with its members. */
    Report farewell(long millis) {
        return new Report(gateway, Set.of(), Set.of(), 0, 0, 0, null, 0, millis);
    }

    /** Tells the state again at the next answer, since it was not told. */
    void announce() {
        announce = true;
    }

    /** Returns whether the roster may have members of this gateway. */
    boolean isKnown() {
        return known;
    }

    /** Returns whether nothing is left to be told, also as the roster has expired what it knew. */
    boolean isOver(long now) {
        return !busy && members.isEmpty() && anonymous == 0 && watchers == 0 && !more
                && (!known && changed.isEmpty() || now - answeredAt > 2 * config.expiry().toNanos());
    }
}
