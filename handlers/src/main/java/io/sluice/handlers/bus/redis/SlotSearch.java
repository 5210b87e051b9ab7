package io.sluice.handlers.bus.redis;

import io.sluice.config.topic.BusUrl;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A search for the server of a cluster that knows the master of each slot, or of most. */
final class SlotSearch {
    /** The servers to ask. */
    final List<BusUrl.Server> left;
    /** Indicates whether a server has not answered. */
    boolean failed;
    private @Nullable SlotTable best;

    SlotSearch(Collection<BusUrl.Server> servers) {
        left = new ArrayList<>(servers);
    }

    void answered(SlotTable table) {
        if (best == null || table.slots() > best.slots()) {
            best = table;
        }
        if (table.isWhole()) {
            left.clear();
        }
    }

    /** Returns the answer with most slots; null if there was none. */
    @Nullable SlotTable best() {
        return best;
    }
}
