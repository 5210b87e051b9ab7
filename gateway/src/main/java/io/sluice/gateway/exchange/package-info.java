/** One request and its one answer, whatever protocol they come and go by. */
package io.sluice.gateway.exchange;
