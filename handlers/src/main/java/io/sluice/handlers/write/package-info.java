/** Queries that change data: steps of a transaction, preconditions, and requests that are repeated. */
package io.sluice.handlers.write;
