/** Mistakes in a configuration, with file and line, and the texts of their messages. */
package io.sluice.config.problem;
