package io.sluice.handlers;

import io.sluice.offload.Offload;

/** The parts of the gateway that a plug-in may use. */
@FunctionalInterface
public interface PluginContext {

    /**
     * Returns an offload pool, on which blocking work belongs. It may be used by each request from its
     * beginning to its end. A filter may use it until a response of an upstream begins, or one without an end
     * of its own: a reload that changes the pool does not wait for those.
     *
     * @param name the name of a configured pool, from a record component with {@code @Ref("offload.pools")}
     * @throws IllegalArgumentException if there is no such pool
     */
    Offload pool(String name);
}
