/** Rows of an SQL result as the body of a response, in each of its representations. */
package io.sluice.handlers.rows;
