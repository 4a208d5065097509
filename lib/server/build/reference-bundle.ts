import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { gunzipSync } from "node:zlib"

/** The reader of the API reference: one file of a package whose dependencies weigh 250 MB and are not needed for it. */
const pinned = {
  name: "@scalar/api-reference",
  version: "1.46.4",
  integrity: "sha512-EpCcOG15Ry8DKNs/f5AdRA97s1B5kGPekzANpnK0j1IpyU4Sb/mfdyfB00WC+vUo7hfc4BFRSkkiPa5SSM7fng==",
  member: "package/dist/browser/standalone.js",
}
const file = join("public", "vendor", `scalar-${pinned.version}.js`)

/** Puts the reader where the pages serve it, once; without it everything works except the reference. */
export async function fetchReference(print: (sentence: string) => void): Promise<void> {
  if (existsSync(file)) return
  print("Fetching the reader of the API reference …")
  mkdirSync(join("node_modules", ".cache"), { recursive: true })
  const folder = mkdtempSync(join("node_modules", ".cache", "reference-"))
  try {
    const wanted = [`${pinned.name}@${pinned.version}`, "--pack-destination", folder, "--silent"]
    await promisify(execFile)("npm", ["pack", ...wanted], { timeout: 60_000 }).catch(() => undefined)
    const [name] = readdirSync(folder)
    if (!name) throw new Error("the package registry did not answer")
    const archive = readFileSync(join(folder, name))
    if (`sha512-${createHash("sha512").update(archive).digest("base64")}` !== pinned.integrity)
      throw new Error("the package is not the one that was pinned")
    mkdirSync(join("public", "vendor"), { recursive: true })
    const script = memberOf(gunzipSync(archive), pinned.member)
    writeFileSync(`${file}.part`, script)
    renameSync(`${file}.part`, file)
  } catch (error) {
    print(`The API reference cannot be shown: ${error instanceof Error ? error.message : String(error)}.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const block = 512

/** One file of a tar archive: a header of 512 bytes with name and octal size, then the content in whole blocks. */
export function memberOf(archive: Buffer, wanted: string): Buffer {
  for (let at = 0; at + block <= archive.length;) {
    const name = textAt(archive, at, 100)
    const size = parseInt(textAt(archive, at + 124, 12), 8) || 0
    if (name === wanted) return archive.subarray(at + block, at + block + size)
    at += block + Math.ceil(size / block) * block
  }
  throw new Error(`the package has no ${wanted}`)
}

function textAt(archive: Buffer, from: number, length: number): string {
  return archive.toString("latin1", from, from + length).split("\0", 1)[0] ?? ""
}
