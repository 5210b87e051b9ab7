/** What operators and their programs ask: metrics, health, routes. On a port of its own. */
package io.sluice.gateway.admin;
