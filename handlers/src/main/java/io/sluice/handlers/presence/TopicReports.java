package io.sluice.handlers.presence;

import io.sluice.config.topic.PresenceConfig;
import io.sluice.handlers.presence.Roster.Answer;
import io.sluice.handlers.presence.Roster.Report;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of a topic's members with the roster: its reports, and the state that those who watch are
 * told. Confined to the thread of {@link Presence}.
 */
final class TopicReports {
    private final String topic;
    private final PresenceConfig config;
    private final LocalMembers members;
    private String gateway = newGateway();
    private int anonymousReported;
    /** The number of the last report, and of the last one with names that the roster has. */
    private long reports;
    private long confirmed;
    private int watchers;
    /** Indicates that the state has to be published, even if it is not new. */
    private boolean announce;
    /** Indicates that the roster may have members of this gateway. */
    private boolean known;
    private boolean moreToFetch;
    /** Indicates that a report is waiting or under way. */
    private boolean inProgress;
    private long reportedAt;
    private long answeredAt;
    /** The state that was told last; null if none was. */
    private @Nullable PresenceState state;

    TopicReports(String topic, PresenceConfig config, long now) {
        this.topic = topic;
        this.config = config;
        members = new LocalMembers(config.leaveAfter().toNanos());
        answeredAt = now;
    }

    private static String newGateway() {
        return Long.toHexString(ThreadLocalRandom.current().nextLong());
    }

    String topic() {
        return topic;
    }

    LocalMembers members() {
        return members;
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

    /** Begins a report if there is something to tell or to ask; returns whether there is. */
    boolean tryBegin() {
        boolean due = !inProgress && (members.hasChanges() || members.anonymous() != anonymousReported
                || watchers > 0 || moreToFetch);
        inProgress |= due;
        return due;
    }

    /** Begins a report that the members are still there if it is time for one; returns whether it is. */
    boolean tryBeginRenewal(long now) {
        boolean due = !inProgress && known
                && now - reportedAt >= config.expiry().toNanos() / PresenceConfig.REPORTS;
        inProgress |= due;
        return due;
    }

    /** Returns a report that the members are still there. */
    Report renewal(long now) {
        var renewal = new Report(gateway, Set.of(), Set.of(), anonymousReported, reports, confirmed, null, 0,
                config.expiry().toMillis());
        reportedAt = now;
        return renewal;
    }

    /** Returns the next report. */
    Report report(long now) {
        var joining = new LinkedHashSet<String>(); // in the order of their coming
        var leaving = new LinkedHashSet<String>();
        members.changes(Report.MAX_NAMES, joining, leaving);
        var report = new Report(gateway, joining, leaving, members.anonymous(), ++reports, confirmed,
                state == null ? null : state.version(), watchers > 0 ? config.members() : 0,
                config.expiry().toMillis());
        members.reported(joining);
        members.reported(leaving);
        reportedAt = now;
        return report;
    }

    /** Takes note that a report was not made, although it had begun. */
    void notBegun() {
        inProgress = false;
    }

    /** Takes back a report that has failed: the roster may have it or not. */
    void failed(Report report) {
        inProgress = false;
        known = true;
        members.reportAgain(report.joining());
        members.reportAgain(report.leaving());
    }

    /** Takes an answer; returns the state to publish to subscribers of presence, null if it is not new. */
    byte @Nullable [] answered(Report report, Answer answer, long now) {
        inProgress = false;
        answeredAt = now;
        boolean lost = answer.here() < 0;
        anonymousReported = lost ? -1 : report.anonymous();
        known = answer.here() != 0 || report.anonymous() > 0;
        moreToFetch = answer.more();
        if (lost || !known) {
            confirmed = 0;
        } else if (report.hasNames()) {
            confirmed = report.number();
        }
        if (lost || !members.hasChanges() && answer.here() < members.named()) {
            members.reportAgain(); // it has lost some
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
        if (members.hasChanges() || answer.here() <= members.named()) {
            return null;
        }
        Report former = farewell(1);
        gateway = newGateway();
        confirmed = 0;
        members.reportAgain();
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
        return !inProgress && members.isEmpty() && watchers == 0 && !moreToFetch
                && (!known && !members.hasChanges() || now - answeredAt > 2 * config.expiry().toNanos());
    }
}
