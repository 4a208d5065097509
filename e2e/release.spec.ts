import { execFile } from "node:child_process"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, test } from "@playwright/test"
import { freePorts } from "@/e2e/support/free-port"
import { startProduct } from "@/e2e/support/product"
import { createSampleOrganization } from "@/e2e/support/sample-organization"

const launch = "lib/cli/launch.mjs"
const run = promisify(execFile)

test("what `npm run build` makes runs in another folder, without the sources and a package registry, and takes commands there", async () => {
  // 600 MB are copied twice, beside another product.
  test.setTimeout(600_000)
  const root = mkdtempSync(join(tmpdir(), "mailroom-release-"))
  await run(process.execPath, [launch, "build"])
  cpSync("dist/release", root, { recursive: true, verbatimSymlinks: true })
  const product = await startProduct(await freePorts(), { npm_config_offline: "true" }, undefined, root)
  try {
    expect(product.output(), "nothing is installed or built").not.toMatch(/Installing|Generating|Building/)
    const { projectId } = await createSampleOrganization("release", product)
    expect(projectId, "an email was delivered").toMatch(/^proj_/)
    const page = await fetch(`${product.baseUrl}/sign-in`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Sign in")])
    const { stdout } = await run(process.execPath, [launch, "admin", "verify-audit-log"], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: "", SECRET_KEY: "", DATA_DIR: product.dataDir },
    })
    expect(JSON.parse(stdout)).not.toHaveProperty("error")
  } finally {
    await product.stop()
    rmSync(root, { recursive: true, force: true })
  }
})
