import next from "eslint-config-next/core-web-vitals"
import tseslint from "typescript-eslint"

const processEnv = {
  object: "process",
  property: "env",
  message: "Configuration is read in lib/platform/env/env.ts alone: call env().",
}

const canParse = {
  object: "URL",
  property: "canParse",
  message:
    "Node 20 and 22 refuse URLs with letters such as ü after some thousand calls: use lib/platform/url-rules.ts.",
}

const unscopedClient = {
  name: "@/lib/platform/database/db",
  importNames: ["unscoped", "unscopedTransaction"],
  message: "It reads and writes every project: call db(scope) of lib/platform/database/scoped-db.ts.",
}

/** Where there is React. Its rules take two thirds of the time of a lint of everything. */
const react = ["app/**/*.{ts,tsx}", "components/**/*.{ts,tsx}"]

const camelCase = {
  selector:
    "VariableDeclarator > Identifier.id[name=/^(?!(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$)[A-Z][A-Z0-9_]{2,}$/]",
  message: "Constants are camelCase like every other name.",
}

const lostTimeout = {
  selector:
    "CallExpression[callee.object.name='AbortSignal'][callee.property.name='any'] CallExpression[callee.property.name='timeout']",
  message: "Node 20 loses the timeout at the next garbage collection: use lib/platform/time-limit.ts.",
}

/** A format takes milliseconds to make in a browser that has just opened the page, and a page writes some fifty dates. */
const formatMadeAnew = {
  selector:
    ":matches(NewExpression[callee.object.name='Intl'], CallExpression[callee.property.name=/^toLocale(Date|Time)String$/])",
  message: "Call dateWords of components/ui/date-words.ts, which makes each format once.",
}

export default tseslint.config(
  {
    ignores: [
      "node_modules/",
      ".next/",
      "dist/",
      ".data/",
      "prisma/generated/",
      "public/vendor/",
      "next-env.d.ts",
      "test-results/",
      "playwright-report/",
    ],
  },
  ...next.map((config) => (config.rules ? { ...config, files: react } : config)),
  ...tseslint.configs.recommended,
  {
    files: ["**/*.ts", "**/*.tsx"],
    rules: {
      "no-console": "error",
      "no-restricted-properties": ["error", processEnv, canParse],
      "no-restricted-imports": ["error", { paths: [unscopedClient] }],
      "no-restricted-syntax": ["error", camelCase, lostTimeout],
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-explicit-any": "error",
      // `{}` adds nothing to an intersection, which is what a generic's default wants.
      "@typescript-eslint/no-empty-object-type": ["error", { allowObjectTypes: "always" }],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
    },
  },
  {
    // The launcher hands the environment to its children; tests prepare it; Next wants NODE_ENV by its name.
    files: ["lib/platform/env/env.ts", "lib/{cli,server}/**", "e2e/**", "*.config.ts", "*.config.mjs"],
    rules: { "no-restricted-properties": ["error", canParse] },
  },
  {
    // What is above projects, and processes that serve them all.
    files: ["lib/{platform,access,projects,worker,server,demo,cli}/**", "e2e/**", "prisma/**", "**/*.test.ts"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    // MAIL FROM domains are unique across projects, checks are claimed of them all, the sandbox's name server publishes
    // their records, the keys of deleted ones are destroyed in all of them, and report tokens and service keys are above them.
    files: ["lib/domains/data.ts", "lib/domains/{check,keys,registration}/data.ts"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    // Stored objects are counted and swept for all projects at once.
    files: ["lib/contacts/{imports,images}/data.ts"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    // What was deleted is removed in the background, for all projects at once.
    files: ["lib/{contact-properties,segments,topics}/data.ts"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    // A link in a mail names nothing but its delivery, a host nothing but a domain: the project is not known before.
    files: ["lib/tracking/data.ts"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    // A pass over scores goes through the contacts of every project.
    files: ["lib/contacts/engagement/data.ts"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    // What people write to the service belongs to no project.
    files: ["lib/inbound/data.ts"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    // The policies of recipients' domains are above projects.
    files: ["lib/delivery/direct/data.ts"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    // A relay and a queue serve every project.
    files: ["lib/delivery/regions/{data,return-route-store}.ts", "lib/delivery/queue/queues/data.ts"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    // The worker judges the rates of every project.
    files: ["lib/metrics/advisor/data.ts"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    // The token of a stream is all that names its project.
    files: ["lib/stream/data.ts"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    files: ["components/**/*.{ts,tsx}"],
    ignores: ["components/ui/date-words.ts"],
    rules: { "no-restricted-syntax": ["error", camelCase, lostTimeout, formatMadeAnew] },
  },
  // The compiler of React is not in use: what it would skip is no fault.
  { files: ["**/*.tsx"], rules: { "react-hooks/incompatible-library": "off" } },
)
