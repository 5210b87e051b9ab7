/** Records of the import of many rows by one request. */
package io.sluice.config.bulk;
