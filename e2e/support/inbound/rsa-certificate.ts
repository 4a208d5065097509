import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A certificate with an RSA key for one host, made by OpenSSL, valid for a day. */
export function rsaCertificate(host: string): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-certificate-"))
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")]
  try {
    execFileSync(
      "openssl",
      [
        ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", key, "-out", cert],
        ...["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`],
      ],
      { stdio: "ignore" },
    )
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
