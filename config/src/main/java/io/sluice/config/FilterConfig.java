package io.sluice.config;

/**
 * The configuration of a plug-in's filter: a record whose components are keys, as in this package. In a route
 * it has a key of its own: the record's name in kebab-case, such as {@code request-audit} for
 * {@code RequestAudit}. Without that key the filter is off. The record's constructor may throw to reject the
 * values; the user gets the exception's message.
 */
public interface FilterConfig {
}
