/** The client of a connection or a request: its address, and the proxies whose word is taken for it. */
package io.sluice.gateway.peer;
