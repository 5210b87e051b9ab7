/** Which rows of a query's result clients may select, in which order and pages. */
package io.sluice.config.selection;
