package io.sluice.handlers.presence;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The members of a set's topics on all gateways. A member is a name; it is in a topic while it is so at one
 * gateway. Reports of a gateway to a topic are made one after the other.
 */
@FunctionalInterface
public interface Roster {

    /**
     * Reports what has changed at a gateway, and asks who is there. A report may be repeated.
     *
     * @return completes on any thread; fails with 503 if the roster cannot be reached
     */
    CompletableFuture<Answer> report(String topic, Report report);

    /**
     * Reports that a gateway is still there, or goes, in topics in which no names have changed. The reports
     * have the same time until the gateway is forgotten, and ask for no state.
     *
     * @param reports by their topics
     * @return the answers by their topics; fails if one of them fails
     */
    default CompletableFuture<Map<String, Answer>> renew(Map<String, Report> reports) {
        var answers = new ConcurrentHashMap<String, Answer>();
        return CompletableFuture.allOf(reports.entrySet().stream()
                .map(each -> report(each.getKey(), each.getValue())
                        .thenAccept(answer -> answers.put(each.getKey(), answer)))
                .toArray(CompletableFuture[]::new)).thenApply(_ -> answers);
    }

    /**
     * The changes at a gateway. A gateway that has members, or anonymous ones, is forgotten with them if
     * it does not report for some time.
     *
     * @param gateway its id in the topic: hexadecimal digits; empty to ask only
     * @param joining names
     * @param leaving names
     * @param anonymous the number of its anonymous members
     * @param number larger than that of each earlier report
     * @param confirmed the number of the last report with names that the roster has taken; 0 for none. If the
     *     roster does not have that, it has lost it
     * @param known the version of the state that is known; null for none
     * @param limit the number of names to answer with; 0 to get no state
     * @param expiryMillis the time without a report after which it is forgotten
     */
    record Report(String gateway, Set<String> joining, Set<String> leaving, int anonymous,
                  long number, long confirmed, @Nullable String known, int limit, long expiryMillis) {
        /** The most names in a report, whose work occupies a server. */
        static final int MAX_NAMES = 100;
        /** The most topics of a renewal. */
        static final int MAX_TOPICS = 100;

        /** Returns whether names have changed. */
        boolean hasNames() {
            return !joining.isEmpty() || !leaving.isEmpty();
        }

        /** Returns whether more names may have changed. */
        boolean isFull() {
            return joining.size() + leaving.size() == MAX_NAMES;
        }

        /** Returns a report that only asks. */
        static Report question(int limit) {
            return new Report("", Set.of(), Set.of(), 0, 0, 0, null, limit, 0);
        }
    }

    /**
     * The answer to a report.
     *
     * @param here the number of names that the roster has of the gateway; -1 if it has lost something
     *     of what that has reported
     * @param more whether members of forgotten gateways are left, which another report removes
     * @param state who is there; null if the version is that which is known, or none was asked for
     */
    record Answer(int here, boolean more, @Nullable PresenceState state) {
    }
}
