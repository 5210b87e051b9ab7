/** What a client selects of a query's result: filters, order and pages, as SQL around its statement. */
package io.sluice.handlers.selection;
