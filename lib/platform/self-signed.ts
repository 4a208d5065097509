import { generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { isIPv4 } from "node:net"

export type Certificate = { key: string; cert: string }

/**
 * A self-signed X.509 certificate with a new P-256 key (RFC 5280), in PEM, for TLS between servers that encrypt without
 * checking whom they talk to (RFC 7435).
 * @param names host names and IPv4 addresses; the first is the subject
 */
export function selfSigned(names: readonly string[], { from, until }: { from: Date; until: Date }): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  const algorithm = der(0x30, oid("2a8648ce3d040302"))
  const subject = der(0x30, der(0x31, der(0x30, oid("550403"), der(0x0c, Buffer.from(names[0] ?? "")))))
  const alternatives = der(0x30, ...names.map(generalName))
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.of(2))),
    // Positive, and not zero.
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    algorithm,
    subject,
    der(0x30, time(from), time(until)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(0x30, der(0x30, oid("551d11"), der(0x04, alternatives)))),
  )
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign("sha256", content, privateKey)]))
  const base64 = der(0x30, content, algorithm, signature)
    .toString("base64")
    .replace(/.{1,64}/g, "$&\n")
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}-----END CERTIFICATE-----\n`,
  }
}

function generalName(name: string): Buffer {
  return isIPv4(name) ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name))
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"))
}

/** Until 2049, as UTCTime. */
function time(at: Date): Buffer {
  const text = at.toISOString().replace(/\D/g, "").slice(2, 14)
  return der(0x17, Buffer.from(`${text}Z`))
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  if (body.length < 0x80) return Buffer.concat([Buffer.of(tag, body.length), body])
  return Buffer.concat([Buffer.of(tag, 0x82, body.length >> 8, body.length & 0xff), body])
}
