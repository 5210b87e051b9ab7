/** The filters, order and pages by which clients may select rows of a query's result. */
package io.sluice.config.selection;
