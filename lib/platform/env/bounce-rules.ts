/**
 * Whether anything here receives what servers send back after they took a message: bounces at the MAIL FROM domains and
 * delivery reports. This version has no such listener, so nothing may promise that such a bounce is seen, and no relay may
 * be asked for reports.
 */
export function receivesBounces(): boolean {
  return false
}
