package io.sluice.loadtest.experiments.rows;

import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.driver.RequestSource;
import io.sluice.loadtest.experiments.server.RowDatabase;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/**
 * A closed loop of requests that run a statement each.
 *
 * @param name in the table; its requests' kind
 * @param request the request for an id
 * @param ids ids are 1 to this
 */
record RowLoad(String name, int connections, IntFunction<Request> request, int ids) {

    static final RowLoad ONE = gets("row by key", 64, "/rows/", RowDatabase.ROWS);
    static final RowLoad HUNDRED = gets("100 rows", 64, "/rows?after=", RowDatabase.ROWS - 100);
    static final RowLoad TEN_THOUSAND =
            gets("10,000 rows (streamed)", 8, "/export?after=", RowDatabase.ROWS - 10_000);
    static final RowLoad INSERT = inserts("one insert", 64);
    static final List<RowLoad> ALL = List.of(ONE, HUNDRED, TEN_THOUSAND, INSERT);

    private static final int REQUESTS = 10_000;

    private static RowLoad gets(String name, int connections, String path, int ids) {
        return new RowLoad(name, connections, id -> Request.get(name, path + id), ids);
    }

    private static RowLoad inserts(String name, int connections) {
        return new RowLoad(name, connections,
                id -> Request.postJson(name, "/orders", "{\"item\": %d, \"quantity\": 2}".formatted(id)),
                RowDatabase.ROWS);
    }

    /** Starts the load, with the same requests in every run. */
    Load at(int port) throws TimeoutException, InterruptedException {
        var requests = new SplittableRandom(1).ints(REQUESTS, 1, ids + 1).mapToObj(request).toList();
        return Load.closed(port, connections, RequestSource.anyOf(requests));
    }
}
