package io.sluice.handlers;

/**
 * A service that a jar other than Sluice's provides: what routes can have, and how it is configured. Sluice
 * finds it by {@link java.util.ServiceLoader} as a {@link HandlerProvider} or {@link FilterProvider}.
 *
 * <p>A configuration names it as its record is called, in kebab-case: {@code slow-echo} for {@code SlowEcho}.
 * The record's components are its keys. They may be of the types {@code String}, {@code int},
 * {@code boolean}, {@link java.time.Duration}, those of {@link io.sluice.config.type}, enums, records of such
 * components, and {@code Optional}, {@code Set} and {@code Map<String, ...>} of these, with the annotations
 * {@link io.sluice.config.Range} and {@link io.sluice.config.Ref}. Defaults are in the jar's
 * {@code reference.conf}.
 *
 * @param <C> the record
 * @param <T> what is created
 */
public interface PluginProvider<C extends Record, T> {

    /** The class of the record. */
    Class<C> config();

    /**
     * Creates one for each route that asks for it, at the start and anew at each reload, on the thread of
     * these. Requests in flight keep the one before. None is closed, so it must own nothing to be closed.
     *
     * @param config with every value read and checked
     * @throws Exception the gateway does not start, or a reload changes nothing, and the operator is told
     */
    T create(C config, PluginContext context) throws Exception;
}
