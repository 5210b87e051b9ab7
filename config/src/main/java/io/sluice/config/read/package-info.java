/** Loads HOCON, binds it to records, and checks it; mistakes are reported with file and line. */
package io.sluice.config.read;
