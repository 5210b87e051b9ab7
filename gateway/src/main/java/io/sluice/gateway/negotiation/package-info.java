/** What of an answer depends on who asks: how it is encoded, and which pages may read it. */
package io.sluice.gateway.negotiation;
