// What launch.mjs makes of the TypeScript: it runs before any package is installed.
import { readdirSync } from "node:fs"
import { basename, dirname, join, sep } from "node:path"

/** What each command is made of. */
export const bundles = {
  start: ["start", "web", "heavy", "worker", "mail", "sandbox", "documents"],
  dev: ["dev", "web", "worker", "mail", "sandbox", "documents"],
  admin: ["admin"],
  build: ["build", "start", "web", "heavy", "worker", "mail", "sandbox", "documents", "admin", "demo", "mcp"],
  demo: ["demo"],
  bench: ["bench", "web", "heavy", "worker", "documents"],
  check: ["check"],
  test: ["test", "documents"],
  mcp: ["mcp"],
}
/** Programs that are not commands of lib/cli. */
const entries = {
  web: "lib/server/processes/web.ts",
  heavy: "lib/server/processes/heavy.ts",
  worker: "lib/server/processes/worker.ts",
  mail: "lib/server/processes/mail.ts",
  sandbox: "lib/server/processes/sandbox.ts",
  documents: "lib/server/processes/documents.ts",
  bench: "e2e/bench/run.ts",
}

/** They need the packages of development, too. */
export const ofDevelopment = ["dev", "check", "test"]

/** For esbuild: these programs, each in one file, without the packages that they use. */
export function bundleOptions(root, names) {
  return {
    absWorkingDir: root,
    entryPoints: Object.fromEntries(names.map((name) => [name, entries[name] ?? `lib/cli/${name}.ts`])),
    outdir: "dist",
    bundle: true,
    packages: "external",
    alias: { "@": root },
    platform: "node",
    format: "esm",
    target: "node20",
    plugins: [apiRoutes(root)],
    sourcemap: true,
    sourcesContent: false,
    logLevel: "warning",
    write: false,
  }
}

/**
 * A program's text stays in memory while it runs, with two bytes for each character if one of them is beyond Latin-1. esbuild escapes
 * them in strings; what is left is in regular expressions.
 */
export function inOneByteCharacters(contents) {
  const text = Buffer.from(contents).toString()
  return Buffer.from(text.replace(/[^\x00-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`))
}

/** The route files of the API as a table, for the web server; lib itself never imports from app. */
function apiRoutes(root) {
  const name = "api-routes"
  const setup = ({ onResolve, onLoad }) => {
    onResolve({ filter: /^mailroom:api-routes$/ }, ({ path }) => ({ path, namespace: name }))
    onLoad({ filter: /.*/, namespace: name }, () => {
      const folders = ["v1", "resend", "sendgrid", "postmark", "mailgun"].flatMap((api) =>
        readdirSync(join(root, "app", api), { recursive: true })
          .filter((file) => basename(file) === "route.ts")
          .map((file) => `/${api}/${dirname(file).split(sep).join("/")}`),
      )
      const imports = folders.map((folder, at) => `import * as route${at} from "./app${folder}/route.ts"\n`)
      const table = folders.map((folder, at) => `[${JSON.stringify(folder)}, route${at}]`)
      return { contents: `${imports.join("")}export const apiRoutes = [${table}]`, resolveDir: root }
    })
  }
  return { name, setup }
}
