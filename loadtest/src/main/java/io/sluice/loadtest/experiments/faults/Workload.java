package io.sluice.loadtest.experiments.faults;

import io.sluice.loadtest.experiments.faults.CheckedRequest.Http;
import io.sluice.loadtest.experiments.faults.CheckedRequest.Text;
import io.sluice.loadtest.experiments.site.TargetSite;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Requests in a fixed order: reading and updating rows, files, echoes and WebSockets. */
final class Workload {

    private static final int ITEMS = 1_000;
    private static final int ECHO_BYTES = 3_000;
    private static final byte[] NOTHING = {};

    private Workload() {}

    /** The request of a number. */
    static CheckedRequest request(int number) {
        long item = 1L + number % ITEMS;
        return switch (number % 6) {
            case 0 -> row(item);
            case 1 -> file(TargetSite.FILE_SIZES.getFirst());
            case 2 -> echo(number);
            case 3 -> new Text("message " + number);
            case 4 -> rename(item);
            default -> file(TargetSite.FILE_SIZES.getLast());
        };
    }

    private static Http row(long item) {
        var body = String.format(Locale.ROOT, "{\"id\":%d,\"name\":\"item %d\",\"price\":%.2f}",
                item, item, item % 10_000 / 100.0);
        return Http.of("GET", TargetSite.ROWS + item, "", NOTHING, body.getBytes(StandardCharsets.US_ASCII));
    }

    /** Updates an item with the name that it already has, so that rows do not change. */
    private static Http rename(long item) {
        return Http.of("PUT", TargetSite.ROWS + item, "application/json",
                "{\"name\":\"item %d\"}".formatted(item).getBytes(StandardCharsets.US_ASCII),
                "{\"updated\":1}".getBytes(StandardCharsets.US_ASCII));
    }

    private static Http file(int size) {
        return Http.of("GET", TargetSite.file(size), "", NOTHING, TargetSite.content(size));
    }

    private static Http echo(int number) {
        var body = TargetSite.content(ECHO_BYTES + number % ITEMS);
        return Http.of("PUT", TargetSite.ECHO, "application/octet-stream", body, body);
    }
}
