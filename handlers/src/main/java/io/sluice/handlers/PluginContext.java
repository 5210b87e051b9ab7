package io.sluice.handlers;

import io.sluice.offload.Offload;

/** What a handler or filter from another jar may use of the gateway. */
@FunctionalInterface
public interface PluginContext {

    /**
     * A pool, which is where work that blocks belongs.
     *
     * @param name of a pool that is configured, as a record's component with {@code @Ref("offload.pools")} is
     * @throws IllegalArgumentException where there is none of that name
     */
    Offload pool(String name);
}
