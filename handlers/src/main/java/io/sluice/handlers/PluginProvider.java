package io.sluice.handlers;

/**
 * Provides a plug-in: its configuration, and the instances for routes. Sluice finds it in other jars with
 * {@link java.util.ServiceLoader}, as a {@link HandlerProvider} or {@link FilterProvider}.
 *
 * <p>Its name in a configuration is that of its record in kebab-case: {@code slow-echo} for {@code SlowEcho}.
 * The record's components are its keys. They may be of the types {@code String}, {@code int},
 * {@code boolean}, {@link java.time.Duration}, those of {@link io.sluice.config.type}, enums, records of such
 * components, and {@code Optional}, {@code Set} and {@code Map<String, ...>} of these, with the annotations
 * {@link io.sluice.config.key.Range} and {@link io.sluice.config.key.Ref}. Defaults are in the jar's
 * {@code reference.conf}.
 *
 * @param <C> the record of its configuration
 * @param <T> the type of the instances
 */
public interface PluginProvider<C extends Record, T> {

    /** Returns the class of the record. */
    Class<C> config();

    /**
     * Creates an instance for each route that uses the plug-in, at the start and at each reload, on their
     * thread. Requests in flight keep the old instance, and so do its open {@linkplain Tunnel tunnels}, which
     * are drained if the route, the configuration or a pool has changed. Instances are never closed, so they
     * must not own resources.
     *
     * @param config the route's configuration, complete and valid
     * @throws Exception if it fails: the gateway then does not start, or a reload changes nothing, and the
     *     error is reported to the operator
     */
    T create(C config, PluginContext context) throws Exception;
}
