package io.sluice.handlers.presence;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The members of a single gateway, without a bus. Confined to the thread of {@link Presence}. */
public final class LocalRoster implements Roster {
    private final Map<String, Members> topics = new HashMap<>();
    private long versions;

    private static final class Members {
        final Set<String> names = new LinkedHashSet<>();
        int anonymous;
        String version = "";
    }

    @Override
    public CompletableFuture<Answer> report(String topic, Report report) {
        Members members = topics.computeIfAbsent(topic, _ -> new Members());
        if (!report.gateway().isEmpty()) {
            members.names.addAll(report.joining());
            members.names.removeAll(report.leaving());
            boolean changed = !report.joining().isEmpty() || !report.leaving().isEmpty()
                    || members.anonymous != report.anonymous();
            members.anonymous = report.anonymous();
            members.version = changed ? Long.toString(++versions) : members.version;
        }
        if (members.names.isEmpty() && members.anonymous == 0) {
            topics.remove(topic);
        }
        PresenceState state = report.limit() == 0 || members.version.equals(report.known()) ? null
                : new PresenceState(members.version, members.names.size(), members.anonymous,
                        List.copyOf(members.names.stream().limit(report.limit()).toList()));
        return CompletableFuture.completedFuture(new Answer(members.names.size(), false, state));
    }
}
