/**
 * Determines the client of a connection or request: its address, and the proxies that are trusted to name it.
 */
package io.sluice.gateway.peer;
