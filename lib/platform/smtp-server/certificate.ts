import { X509Certificate } from "node:crypto"
import { mkdirSync, readFileSync, unwatchFile, watchFile, writeFileSync } from "node:fs"
import { isIP } from "node:net"
import { join } from "node:path"
import { createSecureContext } from "node:tls"
import { log } from "@/lib/platform/log"
import { selfSigned, type Certificate } from "@/lib/platform/self-signed"
import { dayMs } from "@/lib/platform/time"

const lookEveryMs = 2_000
const ownDays = 3_650

export type WatchedCertificate = {
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
