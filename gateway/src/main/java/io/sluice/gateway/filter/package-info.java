/** The filters that stand around the handlers of routes: access, limits, CORS, compression, load shedding. */
package io.sluice.gateway.filter;
