/** The import of many rows by one request. */
package io.sluice.handlers.bulk;
