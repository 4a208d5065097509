import { createHmac } from "node:crypto"

/** Seconds since 1970: the time that is signed. */
function timestampOf(at: Date): string {
  return String(Math.floor(at.getTime() / 1_000))
}

/** Signatures of Standard Webhooks over id, time of the attempt and body: one for each secret, the current one first. */
export function signatureOf(id: string, at: Date, body: string, secrets: readonly Uint8Array[]): string {
  const signed = `${id}.${timestampOf(at)}.${body}`
  return secrets.map((secret) => `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`).join(" ")
}

/** What an attempt sends besides the body. */
export function requestHeaders(id: string, at: Date, signature: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "Mailroom-Webhooks/1",
    ...{ "webhook-id": id, "webhook-timestamp": timestampOf(at), "webhook-signature": signature },
  }
}
