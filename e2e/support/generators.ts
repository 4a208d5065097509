import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { buildSync } from "esbuild"
import { recommendedNode } from "@/lib/cli/checks/programs"

// Programs that judge an OpenAPI document and that make clients of it, and how somebody uses each client.

/** With exact versions, since the next release of one may refuse what this one takes. */
const packages = [
  ...["@stoplight/spectral-cli@6.16.3", "@hey-api/openapi-ts@0.99.0", "orval@8.38.0", "swagger-typescript-api@13.13.0"],
  ...["oazapfts@7.5.0", "@oazapfts/runtime@1.2.0", "openapi-typescript@7.13.0", "openapi-fetch@0.17.0"],
  ...["cli", "core", "plugin-oas", "plugin-ts", "plugin-zod", "plugin-client"].map((name) => `@kubb/${name}@4.39.3`),
  ...["typescript@5.9.3", "zod@4.6.7", "@types/node@20.19.43"],
]

/** Beside the dependencies, where a second run finds what is installed. */
const folder = resolve("node_modules", ".cache", "generators")

/** Installs what is missing, and puts the document where all of them read it. */
export function prepareGenerators(document: object): void {
  const mark = join(folder, "installed.json")
  const wanted = JSON.stringify(packages)
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== wanted) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n')
    const flags = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    execFileSync("npm", ["install", ...flags, ...packages], { cwd: folder, stdio: ["ignore", 2, 2] })
    writeFileSync(mark, wanted)
  }
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(document))
}

/** What Spectral finds, down to hints; empty where it finds nothing. */
export function spectralFindings(): unknown[] {
  writeFileSync(join(folder, "spectral.json"), '{ "extends": ["spectral:oas"] }')
  const options = ["--ruleset", "spectral.json", "--fail-severity", "hint", "--format", "json", "--quiet"]
  return JSON.parse(run("spectral", ["lint", "openapi.json", ...options])) as unknown[]
}

/** The output of one of the programs. @throws Error with all that it said, if it fails */
function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(
    recommendedNode(),
    [join(folder, "node_modules", ".bin", program), ...args],
    { cwd: folder, encoding: "utf8", timeout: 300_000 },
  )
  if (status !== 0) throw new Error(`${program} failed: ${stdout}${stderr}`)
  return stdout
}

export type Given = { baseUrl: string; apiKey: string; projectId: string; from: string; to: string }
/** How many contacts a client read, and the id of the email that it sent. */
export type Found = { contacts?: number; id?: string }

export type Generator = {
  program: string
  args: readonly string[]
  /** A file that the program reads, by its name. */
  config?: (baseUrl: string) => Record<string, string>
  /** A module beside what was made, whose `use` reads the contacts and sends an email. */
  usage: string
}

const types = `
type Given = { baseUrl: string; apiKey: string; projectId: string; from: string; to: string }
type Found = { contacts?: number | undefined; id?: string | undefined }
`

export const generators: Record<string, Generator> = {
  "openapi-typescript": {
    program: "openapi-typescript",
    args: ["openapi.json", "--default-non-nullable=false", "-o", "openapi-typescript.ts"],
    usage: `
import createClient from "openapi-fetch"
import type { paths } from "./openapi-typescript"

export async function use({ baseUrl, apiKey, projectId, from, to }: Given): Promise<Found> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${apiKey}\` } })
  const list = await client.GET("/v1/projects/{projectId}/contacts", { params: { path: { projectId } } })
  const sent = await client.POST("/v1/emails", { body: { from, to: [to], subject: "Hello", text: "Hi" } })
  return { contacts: list.data?.page.total, id: sent.data?.id }
}
`,
  },
  "hey-api": {
    program: "openapi-ts",
    args: ["-i", "openapi.json", "-o", "hey-api"],
    usage: `
import { listContacts, sendEmail } from "./hey-api"
import { client } from "./hey-api/client.gen"

export async function use({ baseUrl, apiKey, projectId, from, to }: Given): Promise<Found> {
  client.setConfig({ baseUrl, auth: (scheme) => (scheme.type === "http" ? apiKey : undefined) })
  const list = await listContacts({ path: { projectId } })
  const sent = await sendEmail({ body: { from, to: [to], subject: "Hello", text: "Hi" } })
  return { contacts: list.data?.page.total, id: sent.data?.id }
}
`,
  },
  orval: {
    program: "orval",
    args: ["--config", "orval.config.mjs"],
    config: (baseUrl) => ({
      "orval.config.mjs": `export default {
  client: { input: "./openapi.json", output: { target: "./orval/client.ts", client: "fetch", baseUrl: "${baseUrl}" } },
  zod: { input: "./openapi.json", output: { target: "./orval/zod.ts", client: "zod" } },
}`,
    }),
    usage: `
import { listContacts, sendEmail } from "./orval/client"
import { ListContactsResponse, SendEmailBody } from "./orval/zod"

export async function use({ apiKey, projectId, from, to }: Given): Promise<Found> {
  const options = { headers: { Authorization: \`Bearer \${apiKey}\` } }
  const list = await listContacts(projectId, {}, options)
  const sent = await sendEmail(SendEmailBody.parse({ from, to: [to], subject: "Hello", text: "Hi" }), {}, options)
  return { contacts: ListContactsResponse.parse(list.data).page.total, id: sent.status === 201 ? sent.data.id : undefined }
}
`,
  },
  kubb: {
    program: "kubb",
    args: ["generate", "--config", "kubb.config.mjs"],
    config: () => ({
      "kubb.config.mjs": `
import { defineConfig } from "@kubb/core"
import { pluginClient } from "@kubb/plugin-client"
import { pluginOas } from "@kubb/plugin-oas"
import { pluginTs } from "@kubb/plugin-ts"
import { pluginZod } from "@kubb/plugin-zod"

export default defineConfig({
  input: { path: "./openapi.json" },
  output: { path: "./kubb", clean: true, format: false },
  plugins: [
    pluginOas(),
    pluginTs({ output: { path: "types" } }),
    pluginZod({ output: { path: "zod" } }),
    pluginClient({ output: { path: "clients" }, client: "fetch" }),
  ],
})
`,
    }),
    usage: `
import { setConfig } from "@kubb/plugin-client/clients/fetch"
import { listContacts } from "./kubb/clients/listContacts.ts"
import { sendEmail } from "./kubb/clients/sendEmail.ts"
import { sendEmailRequestSchema } from "./kubb/zod/sendEmailRequestSchema.ts"

export async function use({ baseUrl, apiKey, projectId, from, to }: Given): Promise<Found> {
  // Its client names no media type.
  setConfig({ baseURL: baseUrl, headers: { Authorization: \`Bearer \${apiKey}\`, "Content-Type": "application/json" } })
  const list = await listContacts(projectId)
  const sent = await sendEmail(sendEmailRequestSchema.parse({ from, to: [to], subject: "Hello", text: "Hi" }))
  return { contacts: list.page.total, id: sent.id }
}
`,
  },
  oazapfts: {
    program: "oazapfts",
    args: ["openapi.json", "oazapfts.ts"],
    usage: `
import { ok } from "@oazapfts/runtime"
import { defaults, listContacts, sendEmail } from "./oazapfts"

export async function use({ baseUrl, apiKey, projectId, from, to }: Given): Promise<Found> {
  Object.assign(defaults, { baseUrl, headers: { Authorization: \`Bearer \${apiKey}\` } })
  const list = await ok(listContacts(projectId))
  const sent = await ok(sendEmail({ from, to: [to], subject: "Hello", text: "Hi" }))
  return { contacts: list.page.total, id: sent.id }
}
`,
  },
  "swagger-typescript-api": {
    program: "swagger-typescript-api",
    args: ["generate", "-p", "openapi.json", "-o", "swagger", "-n", "api.ts"],
    usage: `
import { Api } from "./swagger/api"

export async function use({ baseUrl, apiKey, projectId, from, to }: Given): Promise<Found> {
  const api = new Api({ baseUrl, baseApiParams: { headers: { Authorization: \`Bearer \${apiKey}\` } } })
  const list = await api.v1.listContacts(projectId)
  const sent = await api.v1.sendEmail({ from, to: [to], subject: "Hello", text: "Hi" })
  return { contacts: list.data.page.total, id: sent.data.id }
}
`,
  },
}

/** Makes a client, and compiles it with its usage, strictly; the module that uses it. @throws Error with all that was said */
export function makeClient(name: string, baseUrl: string): string {
  const { program, args, config, usage } = generators[name] as Generator
  for (const [file, text] of Object.entries(config?.(baseUrl) ?? {})) writeFileSync(join(folder, file), text)
  run(program, args)
  const source = join(folder, `use-${name}.ts`)
  writeFileSync(source, usage + types)
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--allowImportingTsExtensions", "--target", "es2022"]
  const modules = ["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable"]
  run("tsc", [...options, ...modules, "--types", "node", source])
  const outfile = join(folder, `use-${name}.mjs`)
  buildSync({ entryPoints: [source], outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" })
  return outfile
}
