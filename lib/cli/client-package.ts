import { execFileSync } from "node:child_process"
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { apiDocumentAt } from "@/lib/api/openapi"
import { allProblems } from "@/lib/api/problem-pages"
import type { Json } from "@/lib/platform/http/json-schema"

export const clientTypes = "lib/client/schema.ts"

/** The types of every operation and the codes of the problems that one of them raises, as the client package has them. */
export async function clientTypesText(): Promise<string> {
  // A package of development: what runs without these loads this file with the program that it is part of.
  const { default: openapiTs, astToString } = await import("openapi-typescript")
  const types = await openapiTs(JSON.parse(JSON.stringify(callableDocument())), { defaultNonNullable: false })
  const codes = allProblems().flatMap(({ code, raisedBy }) => (raisedBy.length > 0 ? code : []))
  const union = [...new Set(codes)].sort().map((code) => `\n  | ${JSON.stringify(code)}`)
  const head = "// Generated from the OpenAPI document by `npm run build:client`.\n\n"
  return `${head}${astToString(types)}\n/** Every code that a problem can have in this release. */\nexport type ProblemCode =${union.join("")}\n`
}

type Operation = { security: Json[]; responses: Record<string, Json>; parameters: Json[] }

/** What a caller with a key needs of the document: the operations it may call, their answers, and one problem for all errors. */
function callableDocument(): Json {
  const {
    paths,
    components,
    webhooks: _,
    ...rest
  } = apiDocumentAt("http://localhost:3000") as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Json> }
    webhooks: unknown
  }
  const callable = Object.entries(paths).map(([path, item]) => {
    const ofKeys = Object.entries(item).filter(([, { security }]) => security.some((one) => "apiKey" in one))
    return [path, Object.fromEntries(ofKeys.map(([method, operation]) => [method, withOneProblem(operation)]))]
  })
  const schemas: Record<string, Json> = {}
  const addReferred = (part: unknown) => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const schema = components.schemas[name]
      if (!schema || Object.hasOwn(schemas, name)) continue
      schemas[name] = schema
      addReferred(schema)
    }
  }
  addReferred([callable, { ...components, schemas: {} }])
  return { ...rest, paths: Object.fromEntries(callable), components: { ...components, schemas: sorted(schemas) } }
}

function sorted(schemas: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1)))
}

function withOneProblem(operation: Operation) {
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"))
  const answers = successes.map(([status, { headers: _, description: __, ...answer }]) => [status, answer])
  const parameters = operation.parameters.map(({ example: _, ...parameter }) => parameter)
  return {
    ...operation,
    parameters,
    responses: { ...Object.fromEntries(answers), default: operation.responses.default },
  }
}

/**
 * Generates the types of the client again, and makes the package in `dist/client`, which `npm install ./dist/client` or
 * `npm publish` takes.
 * @returns the folder
 */
export async function makeClientPackage(): Promise<string> {
  writeFileSync(clientTypes, await clientTypesText())
  const folder = join("dist", "client")
  rmSync(folder, { recursive: true, force: true })
  const options = ["--ignoreConfig", "--declaration", "--target", "es2022", "--module", "nodenext", "--strict"]
  const compiler = ["node_modules/typescript/bin/tsc", ...options, "--skipLibCheck", "--types", "node"]
  execFileSync(process.execPath, [...compiler, "--outDir", folder, "lib/client/index.ts"], { stdio: ["ignore", 2, 2] })
  const own = JSON.parse(readFileSync("package.json", "utf8")) as Manifest
  const { version, license, devDependencies } = own
  const manifest = {
    ...{ name: "mailroom-client", version, license, description: "Typed client of Mailroom's API", type: "module" },
    engines: { node: ">=20.19" },
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    dependencies: { "openapi-fetch": devDependencies["openapi-fetch"] },
  }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync("LICENSE", join(folder, "LICENSE"))
  return folder
}

type Manifest = { version: string; license: string; devDependencies: Record<string, string> }
