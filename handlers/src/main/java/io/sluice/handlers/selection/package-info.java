/** Selections of a query's result by clients: filters, order and pages, as SQL around its statement. */
package io.sluice.handlers.selection;
