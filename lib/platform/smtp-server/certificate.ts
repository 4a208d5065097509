import { readFileSync, unwatchFile, watchFile } from "node:fs"
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
 * else vouches for, which is what most servers encrypt to. A pair that does not fit, as between the renewal of the one file and
 * of the other, is left until it does.
 * @throws Error with a sentence for the operator if the files cannot be used at the start
 */
export function watchCertificate(
  files: { cert: string; key: string } | undefined,
  names: readonly string[],
): WatchedCertificate {
  if (!files) {
    const now = Date.now()
    const validity = { from: new Date(now - dayMs), until: new Date(now + ownDays * dayMs) }
    return { current: selfSigned(names, validity), onChange: () => undefined, close: () => undefined }
  }
  let use: (changed: Certificate) => void = () => undefined
  const current = readStart(files)
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

function readStart(files: { cert: string; key: string }): Certificate {
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
