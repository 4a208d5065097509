import { createHmac } from "node:crypto"

/**
 * The headers of Standard Webhooks: id, time of the attempt, and a signature of both with the body for each secret, the
 * current one first.
 */
export function signedHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: readonly Uint8Array[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = secrets.map(
    (secret) => `v1,${createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64")}`,
  )
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") }
}
