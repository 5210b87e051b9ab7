package io.sluice.handlers.bus.redis;

import io.lettuce.core.cluster.SlotHash;
import io.sluice.config.topic.BusUrl;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The slots of a cluster and their masters, as a server knows them.
 *
 * @param told the server that has told them
 */
record SlotTable(BusUrl.Server told, List<Range> ranges) {

    /** Slots in a row, and their master. */
    record Range(int first, int last, BusUrl.Server master) {
    }

    /**
     * Returns the table in an answer of CLUSTER SLOTS: ranges of slots, each with its master and replicas. A
     * master without an address has that of the server that was asked.
     */
    static SlotTable of(List<Object> answer, BusUrl.Server asked) {
        var ranges = new ArrayList<Range>();
        for (Object range : answer) {
            List<?> parts = (List<?>) range;
            List<?> master = (List<?>) parts.get(2);
            String host = master.get(0) == null ? "" : text(master.get(0));
            long first = (Long) parts.get(0);
            long last = (Long) parts.get(1);
            if (first < 0 || last < first || last >= SlotHash.SLOT_COUNT) {
                throw new IllegalArgumentException("slots %d to %d (expected: in 0..%d)"
                        .formatted(first, last, SlotHash.SLOT_COUNT - 1));
            }
            ranges.add(new Range((int) first, (int) last,
                    new BusUrl.Server(host.isEmpty() ? asked.host() : host,
                            ((Long) master.get(1)).intValue())));
        }
        return new SlotTable(asked, ranges);
    }

    private static String text(Object value) {
        return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : value.toString();
    }

    /** Returns the number of slots that have a master. */
    int slots() {
        return ranges.stream().mapToInt(range -> range.last - range.first + 1).sum();
    }

    boolean isWhole() {
        return slots() >= SlotHash.SLOT_COUNT;
    }
}
