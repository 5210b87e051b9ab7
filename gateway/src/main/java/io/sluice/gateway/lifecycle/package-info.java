/** Whether the gateway may be sent requests, and how it stops without losing one. */
package io.sluice.gateway.lifecycle;
