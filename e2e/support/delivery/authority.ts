import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Certificate } from "@/lib/platform/smtp-server/certificate"

/** A certificate authority of tests, by openssl. */
export type Authority = {
  /** PEM. */
  certificate: string
  /** A certificate for these names, with the authority's own behind it; valid from now on for so many days. */
  issue(names: readonly string[], options?: { days?: number }): Certificate
}

export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-authority-"))
  const openssl = (...given: string[]) => execFileSync("openssl", given, { cwd: folder, stdio: "pipe" })
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
  const read = (name: string) => readFileSync(join(folder, name), "utf8")
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  openssl("req", "-x509", ...newKey, "-days", "2", "-subj", "/CN=Mailroom tests", "-keyout", "ca.key", "-out", "ca.pem")
  return {
    certificate: read("ca.pem"),
    issue(names, { days = 1 } = {}) {
      writeFileSync(join(folder, "names"), `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`)
      openssl("req", "-new", ...newKey, "-subj", "/CN=server", "-keyout", "own.key", "-out", "own.csr")
      openssl(
        ...["x509", "-req", "-in", "own.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"],
        ...["-days", String(days), "-extfile", "names", "-out", "own.pem"],
      )
      return { key: read("own.key"), cert: read("own.pem") + read("ca.pem") }
    },
  }
}
