/**
 * Annotations of record components: the name of a key, the range of its values, the section that it refers
 * to, and whether a change needs a restart.
 */
package io.sluice.config.key;
