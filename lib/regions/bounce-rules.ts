/**
 * Whether anything here receives what servers send back after they took a message: bounces at the MAIL FROM domains and
 * complaints. The texts about DNS records ask it.
 */
export function receivesBounces(): boolean {
  return true
}
