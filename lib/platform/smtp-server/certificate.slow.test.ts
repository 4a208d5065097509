import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { keptCertificate, watchCertificate } from "@/lib/platform/smtp-server/certificate"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mailroom-certificate-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const names = ["localhost", "mail.test", "127.0.0.1"]

test("the certificate that a server makes for itself stays the same from start to start, and its key is for its owner alone", () => {
  const { current } = watchCertificate(undefined, names, folder)
  expect(watchCertificate(undefined, names, folder).current).toEqual(current)
  expect(statSync(join(folder, "smtp-certificate.key")).mode & 0o777).toBe(0o600)
})

test("a host that has kept nothing yet gets its folder", () => {
  const fresh = join(folder, "not", "there")
  const { current } = watchCertificate(undefined, names, fresh)
  expect(watchCertificate(undefined, names, fresh).current).toEqual(current)
})

test("it is made anew for another name, and where what is kept cannot be used", () => {
  const { current } = watchCertificate(undefined, names, folder)
  const renamed = watchCertificate(undefined, ["localhost", "other.test"], folder).current
  expect(renamed.cert).not.toBe(current.cert)
  writeFileSync(join(folder, keptCertificate), "no certificate")
  const again = watchCertificate(undefined, ["localhost", "other.test"], folder).current
  expect(again.cert).toContain("BEGIN CERTIFICATE")
  expect(again.cert).not.toBe(renamed.cert)
})
