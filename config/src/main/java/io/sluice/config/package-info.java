/**
 * HOCON to immutable records. The only module that knows Typesafe Config: the others see records
 * whose component names are the keys, in kebab-case. Defaults live in {@code reference.conf} alone.
 */
package io.sluice.config;
