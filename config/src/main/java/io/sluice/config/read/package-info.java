/**
 * Loads HOCON, binds it to records and has them checked; lists, shows and compares bound values. The arrows
 * are {@code read -> check -> problem}.
 */
package io.sluice.config.read;
