import { X509Certificate, generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { mkdirSync, readFileSync, unwatchFile, watchFile, writeFileSync } from "node:fs"
import { isIP, isIPv4 } from "node:net"
import { join } from "node:path"
import { createSecureContext } from "node:tls"
import { log } from "@/lib/platform/log"
import { dayMs } from "@/lib/platform/time"

const lookEveryMs = 2_000
const ownDays = 3_650

type WatchedCertificate = {
  current: Certificate
  /** Called with each later certificate that can be used. */
  onChange(use: (changed: Certificate) => void): void
  close(): void
}

/**
 * The certificate of these files, read again when one of them changes; without files one for these names that nobody
 * else vouches for, which is what most servers encrypt to; it is kept in the folder, if one is given, so that programs on this
 * machine can be told of it once. A pair that does not fit, as between the renewal of the one file and
 * of the other, is left until it does.
 * @throws Error with a sentence for the operator if the files cannot be used at the start
 */
export function watchCertificate(
  files: { cert: string; key: string } | undefined,
  names: readonly string[],
  folder?: string,
): WatchedCertificate {
  if (!files) {
    const current = folder === undefined ? madeFor(names) : keptIn(folder, names)
    return { current, onChange: () => undefined, close: () => undefined }
  }
  let use: (changed: Certificate) => void = () => undefined
  const current = readCertificate(files)
  const look = () => {
    try {
      use(readPair(files))
      log.info("the certificate of TLS_CERT and TLS_KEY has been read again")
    } catch (error) {
      log.warn({ err: error }, "the changed certificate of TLS_CERT and TLS_KEY cannot be used; the former one stays")
    }
  }
  for (const file of [files.cert, files.key]) watchFile(file, { interval: lookEveryMs, persistent: false }, look)
  return {
    current,
    onChange: (given) => (use = given),
    close: () => [files.cert, files.key].forEach((file) => unwatchFile(file, look)),
  }
}

function madeFor(names: readonly string[]): Certificate {
  const now = Date.now()
  return selfSigned(names, { from: new Date(now - dayMs), until: new Date(now + ownDays * dayMs) })
}

/** The certificate that programs are told to believe, in the data folder. */
export const keptCertificate = "smtp-certificate.pem"

function keptIn(folder: string, names: readonly string[]): Certificate {
  const files = { cert: join(folder, keptCertificate), key: join(folder, "smtp-certificate.key") }
  try {
    const kept = readPair(files)
    const known = new X509Certificate(kept.cert)
    const isFor = (name: string) => (isIP(name) ? known.checkIP(name) : known.checkHost(name)) !== undefined
    if (names.every(isFor) && Date.parse(known.validTo) > Date.now() + dayMs) return kept
  } catch {
    // None yet, or one that cannot be used any more.
  }
  const made = madeFor(names)
  // A host that takes mail alone has kept nothing before.
  mkdirSync(folder, { recursive: true })
  writeFileSync(files.key, made.key, { mode: 0o600 })
  writeFileSync(files.cert, made.cert)
  return made
}

/** @throws Error with a sentence for the operator if the files cannot be used */
export function readCertificate(files: { cert: string; key: string }): Certificate {
  try {
    return readPair(files)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The certificate of TLS_CERT and TLS_KEY cannot be used: ${reason}`, { cause: error })
  }
}

/** @throws if a file is missing, or the key is not the certificate's */
function readPair({ cert, key }: { cert: string; key: string }): Certificate {
  const pair = { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") }
  createSecureContext(pair)
  return pair
}

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
