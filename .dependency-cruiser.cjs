// The order of the layers, lowest first: a folder uses itself and those before it.
const order = [
  "platform",
  "regions",
  "addresses",
  "access",
  "projects",
  "api-keys",
  "domains",
  "consent",
  "suppressions",
  "topics",
  "contact-properties",
  "segments",
  "contacts",
  "emails",
  "delivery",
  "sandbox",
  "returns",
  "tracking",
  "inbound",
  "stream",
  "webhooks",
  "received",
  "explanation",
  "metrics",
  "broadcasts",
  "search",
  "submission",
  "api",
  "faces",
  "docs",
  "mcp",
  "client",
  "worker",
  "server",
  "demo",
  "cli",
]
const tests = "\\.test\\.tsx?$"

// The codes of outcomes and their words, which every layer stores and shows.
const vocabulary = "^lib/explanation/(codes|words|record-words)\\.ts$"

const layers = order.slice(0, -1).map((folder, at) => ({
  name: `${folder}-is-below`,
  comment: `lib/${folder} imports nothing from a later layer.`,
  severity: "error",
  from: { path: `^lib/${folder}/`, pathNot: tests },
  to: { path: `^lib/(${order.slice(at + 1).join("|")})/`, pathNot: vocabulary },
}))

module.exports = {
  forbidden: [
    ...layers,
    {
      name: "codes-and-words-are-below-all",
      comment:
        "The codes of outcomes and their words import only each other, and how texts, numbers and times are written.",
      severity: "error",
      from: { path: vocabulary },
      to: { pathNot: `${vocabulary}|^lib/platform/format\\.ts$` },
    },
    {
      name: "lib-knows-its-folders",
      comment: "A new folder of lib takes its place in the order above first.",
      severity: "error",
      from: {},
      to: { path: "^lib/", pathNot: `^lib/(${order.join("|")})/` },
    },
    {
      name: "lib-has-no-face",
      comment: "lib never imports components, app or React.",
      severity: "error",
      from: { path: "^lib/" },
      to: { path: "^(components|app)/|^node_modules/(react|react-dom)/" },
    },
    {
      name: "components-take-the-wire",
      comment: "Components take from lib what is safe in a browser: schema, rules, tables of names and types.",
      severity: "error",
      from: { path: "^components/", pathNot: "^components/data/|" + tests },
      to: {
        path: "^lib/",
        pathNot: "[/-](schema|rules|problems|types|regions|permissions|time|format)\\.ts$|" + vocabulary,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "components-are-below-app",
      comment: "Pages compose components, never the other way round.",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^app/" },
    },
    {
      name: "stores-alone-reach-the-database",
      comment:
        "SQL and Prisma are called in data.ts, *store.ts, *-sql.ts and lib/platform; the processes of worker, server and cli may open the pool.",
      severity: "error",
      from: {
        pathNot:
          "[/-](data|store|sql)\\.ts$|^lib/(platform|worker|server|demo|cli)/|^app/health/|^e2e/|^prisma/|" + tests,
      },
      to: {
        path: "^lib/platform/database/(scoped-)?db\\.ts$|^node_modules/(pg|@prisma)/|^prisma/generated/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "no-cycles",
      comment: "Two files that need each other, be it for a type, are one file, or three.",
      severity: "error",
      from: { pathNot: "^prisma/generated/" },
      to: { circular: true },
    },
    {
      name: "tests-are-no-source",
      comment: "Nothing that runs in production imports a test or e2e.",
      severity: "error",
      from: { path: "^(app|components|lib)/", pathNot: tests },
      to: { path: tests + "|^e2e/" },
    },
    {
      name: "resolvable",
      comment: "Every import leads somewhere.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "next-env|^mailroom:" },
    },
  ],
  options: {
    skipAnalysisNotInRules: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(\\.next|dist|\\.data)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
}
