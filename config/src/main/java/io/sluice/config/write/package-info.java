/** What a query that changes data does besides: other statements, its answer, and requests that are repeated. */
package io.sluice.config.write;
