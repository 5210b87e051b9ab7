package io.sluice.config.check;

import io.sluice.config.HandlerConfig;
import io.sluice.config.OffloadConfig;
import io.sluice.config.PoolConfig;
import io.sluice.config.RouteConfig;
import java.time.Duration;

/** Checks routes of the kind {@code ws-code}. */
final class CodeChecks {

    private CodeChecks() {
    }

    /**
     * Reports a wall-time that is not below the deadlines of route and pool: a program ended by a deadline
     * has no result that says that it timed out.
     */
    static void check(RouteConfig route, HandlerConfig.WsCode code, OffloadConfig offload, Setting root,
                      Setting at) {
        Duration wallTime = code.program() == null ? null : code.program().wallTime();
        if (wallTime == null) {
            return;
        }
        PoolConfig pool = offload == null || offload.pools() == null ? null
                : offload.pools().get(code.pool());
        Setting here = at.at("program").at("wall-time");
        if (route.deadline().filter(deadline -> wallTime.compareTo(deadline) >= 0).isPresent()) {
            here.wrong(here.text(), "less than the route's deadline, " + at.at("deadline").text());
        } else if (pool != null && pool.deadline() != null && wallTime.compareTo(pool.deadline()) >= 0) {
            here.wrong(here.text(), "less than the deadline of pool " + code.pool() + ", "
                    + root.at("offload").at("pools").at(code.pool()).at("deadline").text());
        }
    }
}
