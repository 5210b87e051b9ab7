package io.sluice.handlers.presence;

import io.sluice.handlers.rights.Caller;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The members of a topic that are connected to this gateway, or were so a short time ago. Confined to the
 * thread of {@link Presence}.
 */
final class LocalMembers {
    private final Map<String, Member> members = new HashMap<>();
    /** Members without a connection, in the order in which they leave; some may have come back. */
    private final ArrayDeque<Leave> leaves = new ArrayDeque<>();
    /** The names to report: they join if they are members, and else leave. */
    private final Set<String> changed = new LinkedHashSet<>();
    private final long leaveAfter;
    private int anonymous;

    private static final class Member {
        int connections;
        long leavesAt;
    }

    private record Leave(String name, long at) {
    }

    /**
     * Creates no members.
     *
     * @param leaveAfter the time without a connection after which a member leaves, in nanoseconds
     */
    LocalMembers(long leaveAfter) {
        this.leaveAfter = leaveAfter;
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
            member.leavesAt = now + leaveAfter;
            leaves.add(new Leave(caller.name(), member.leavesAt));
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

    /** Adds names to report to those that join or leave, in the order of the changes. */
    void changes(int most, Set<String> joining, Set<String> leaving) {
        Iterator<String> names = changed.iterator();
        for (int i = 0; i < most && names.hasNext(); i++) {
            String name = names.next();
            (members.containsKey(name) ? joining : leaving).add(name);
        }
    }

    /** Takes note that a report has these names. */
    void reported(Collection<String> names) {
        names.forEach(changed::remove);
    }

    /** Has names reported again, as what they are then. */
    void reportAgain(Collection<String> names) {
        changed.addAll(names);
    }

    /** Has all names reported again. */
    void reportAgain() {
        changed.addAll(members.keySet());
    }

    boolean hasChanges() {
        return !changed.isEmpty();
    }

    /** Returns the number of members with a name. */
    int named() {
        return members.size();
    }

    /** Returns the number of connections without a name. */
    int anonymous() {
        return anonymous;
    }

    boolean isEmpty() {
        return members.isEmpty() && anonymous == 0;
    }
}
