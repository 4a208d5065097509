import { selfSigned, type Certificate } from "@/lib/platform/smtp-server/certificate"

/** A self-signed certificate for localhost and 127.0.0.1, valid for an hour around now, for tests alone. */
export function selfSignedCertificate(): Certificate {
  const at = (offsetMs: number) => new Date(Date.now() + offsetMs)
  return selfSigned(["localhost", "127.0.0.1"], { from: at(-1_800_000), until: at(1_800_000) })
}
