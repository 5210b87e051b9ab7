/** What a client selects of a query's result: filters, order and pages, as SQL around the route's statement. */
package io.sluice.handlers.selection;
