import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { endpoints } from "@/lib/api/registry"
import { methodOf, pathOf } from "@/lib/platform/http/endpoint"

const root = join(import.meta.dirname, "../..")

/** A position with two meanings has one folder: Next builds two names and then crashes at start. */
const shared: Record<string, string> = {
  "v1/emails/{emailId}": "v1/emails/[id]",
  "v1/emails/{projectId}": "v1/emails/[id]",
}

function folderOf(path: string): string {
  let folder = path.slice(1)
  for (const [from, to] of Object.entries(shared)) if (folder.startsWith(from)) folder = folder.replace(from, to)
  return join("app", folder.replaceAll(/\{(\w+)\}/g, "[$1]"), "route.ts")
}

function routeFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? routeFiles(join(folder, entry.name))
      : entry.name === "route.ts"
        ? [join(folder, entry.name)]
        : [],
  )
}

const notOperations = ["app/v1/[...missing]/route.ts", "app/v1/openapi.json/route.ts"]
const files = routeFiles("app/v1").filter((file) => !notOperations.includes(file))
const inV1 = endpoints.filter((endpoint) => pathOf(endpoint).startsWith("/v1"))

test("every declaration is served at the folder of its path, none is missing and none is extra", async () => {
  expect([...new Set(inV1.map((endpoint) => folderOf(pathOf(endpoint))))].sort()).toEqual(files.sort())
})

test.each(files)(
  "%s serves exactly the methods that are declared for it, and answers the others with 405 and Allow",
  async (file) => {
    const expected = inV1
      .filter((endpoint) => folderOf(pathOf(endpoint)) === file)
      .flatMap((endpoint) => (methodOf(endpoint) === "GET" && !endpoint.noHead ? ["GET", "HEAD"] : methodOf(endpoint)))
      .sort()
    const handlers = (await import(join(root, file))) as Record<string, (request: Request) => Promise<Response>>
    expect(Object.keys(handlers).sort()).toEqual(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"])
    const refused = Object.keys(handlers).filter((method) => !expected.includes(method))
    for (const method of refused) {
      const response = await handlers[method]?.(new Request("http://localhost/", { method }))
      expect(response?.status, method).toBe(405)
      expect(response?.headers.get("allow")?.split(", ").sort()).toEqual(expected)
    }
  },
)

const onlyServes = /^(import \{[\w,\s]+\} from "@\/lib\/[\w/-]+"\n)+\nexport const \{[A-Z, ]+\} = serve\([\w,\s]+\)\n$/

test.each(files)("%s only imports declarations and serves them", (file) => {
  expect(readFileSync(join(root, file), "utf8")).toMatch(onlyServes)
})
