/**
 * Whether anything here receives what servers send back after they took a message: bounces at the MAIL FROM domains and
 * complaints. The texts about DNS records ask it.
 */
export function receivesBounces(): boolean {
  return true
}

/**
 * Whether a relay may be asked for reports of each delivery. Email would stay `sent` for ever if they were lost, so that the
 * way back has to be proved first, which this version cannot.
 */
export function mayAskForReports(): boolean {
  return false
}
