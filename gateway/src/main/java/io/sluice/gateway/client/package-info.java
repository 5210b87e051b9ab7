/** Who a request comes from, and whom to believe about it. */
package io.sluice.gateway.client;
