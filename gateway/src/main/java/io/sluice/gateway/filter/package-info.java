/** The concerns of each request, as filters around the handler of its route. */
package io.sluice.gateway.filter;
