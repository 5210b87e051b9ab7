/** The gateway's SQL routes beside JDBC by hand: servers, loads, and COPY as a scale. */
package io.sluice.loadtest.experiments.rows;
