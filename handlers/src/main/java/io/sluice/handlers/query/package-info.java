/**
 * SQL routes: {@link io.sluice.handlers.query.QueryHandler} reads the parameters of a request, and runs the
 * route's statement on a worker of its database; the rows become the response while they are read.
 */
package io.sluice.handlers.query;
