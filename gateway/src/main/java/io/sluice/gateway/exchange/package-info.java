/** One request and its response, independent of the HTTP version. */
package io.sluice.gateway.exchange;
