/** Who may use a route: tokens that requests carry, and the names of those who have them. */
package io.sluice.gateway.access;
