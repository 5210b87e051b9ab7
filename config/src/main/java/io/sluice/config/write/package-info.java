/** Queries that change data: steps of a transaction, the response, and requests that are repeated. */
package io.sluice.config.write;
