/**
 * Binds HOCON to immutable records. Only this module uses Typesafe Config: the others get records whose
 * component names are the keys, in kebab-case. The defaults are only in {@code reference.conf}.
 */
package io.sluice.config;
