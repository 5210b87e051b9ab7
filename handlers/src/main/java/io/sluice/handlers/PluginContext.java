package io.sluice.handlers;

import io.sluice.offload.Offload;

/** The parts of the gateway that a plug-in may use. */
@FunctionalInterface
public interface PluginContext {

    /**
     * Returns an offload pool, on which blocking work belongs.
     *
     * @param name the name of a configured pool, from a record component with {@code @Ref("offload.pools")}
     * @throws IllegalArgumentException if there is no such pool
     */
    Offload pool(String name);
}
