package io.sluice.config;

/**
 * The configuration of a filter from another jar: a record whose components are keys, as they are here. In a
 * route it stands at a key of its own: the record's name in kebab-case, such as {@code request-audit} for
 * {@code RequestAudit}. Without that key the filter is off. A constructor that throws refuses the values, and
 * the exception's message is the user's.
 */
public interface FilterConfig {
}
