import { generateKeyPairSync, sign } from "node:crypto"

/** A self-signed certificate for localhost and 127.0.0.1, valid for an hour around now, for tests alone. */
export function selfSignedCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const algorithm = der(0x30, der(0x06, Buffer.from("2a864886f70d01010b", "hex")), der(0x05))
  const name = der(
    0x30,
    der(0x31, der(0x30, der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from("localhost")))),
  )
  const names = der(0x30, der(0x82, Buffer.from("localhost")), der(0x87, Buffer.of(127, 0, 0, 1)))
  const extension = der(0x30, der(0x06, Buffer.from("551d11", "hex")), der(0x04, names))
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    algorithm,
    name,
    der(0x30, time(-1800_000), time(1800_000)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(0x30, extension)),
  )
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign("sha256", content, privateKey)]))
  const base64 = der(0x30, content, algorithm, signature).toString("base64").replace(/.{64}/g, "$&\n")
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  if (body.length < 0x80) return Buffer.concat([Buffer.of(tag, body.length), body])
  return Buffer.concat([Buffer.of(tag, 0x82, body.length >> 8, body.length & 0xff), body])
}

function time(offsetMs: number): Buffer {
  const text = new Date(Date.now() + offsetMs).toISOString().replace(/\D/g, "").slice(2, 14)
  return der(0x17, Buffer.from(`${text}Z`))
}
