/** The way from HOCON to records: loading, binding, and checks whose mistakes are told with file and line. */
package io.sluice.config.read;
