// What each command takes, read before anything is installed or started.

/** The options that a command takes itself; the one with a value ends with `=`. `admin` reads its own further down. */
const commands = {
  start: {
    does: "Start Mailroom. With roles, this host runs only those.",
    options: {},
    words: { web: "API and dashboard", worker: "delivery", mail: "returned mail", sandbox: "the sandbox's servers" },
  },
  dev: { does: "Start Mailroom for development, with hot reload.", options: {} },
  admin: { does: "Run one of the operator's commands; the result is one JSON object.", options: null },
  demo: { does: "Add an organization with a month of sent email.", options: {} },
  build: {
    does: "Build the pages, and dist/release: a folder that other hosts can run.",
    options: {
      "--pages": "the pages alone, which npm start runs from here",
      "--client": "the typed client in dist/client, and its types in lib/client, instead",
    },
  },
  bench: {
    does: "Measure throughput and latency.",
    options: {
      "--quick": "check that everything runs, in little time",
      "--only=": "sections, separated by commas",
      "--load=": "loads beside a neighbour whose names fit this pattern",
    },
  },
  mcp: {
    does: "Serve the API to agents by the Model Context Protocol, on stdin and stdout.",
    options: { "--allow-sending": "send real email; without it, only in test mode" },
  },
  check: { does: "Check types, style and architecture, and run the unit tests.", options: {} },
  test: { does: "Run all tests.", options: { "--long": "also those of large figures" } },
}

const adminCommands = [
  "bootstrap",
  "create-key",
  "create-project",
  "set-limits",
  "entitle",
  "operator",
  "egress",
  "doctor",
  "relay-config",
  "loop-test",
  "backup",
  "restore",
  "release",
  "move-organization",
  "sign-in-link",
  "reset-second-factor",
  "service-dns",
  "undelivered-mail",
  "verify-audit-log",
]

const isHelp = (argument) => argument === "--help" || argument === "-h"

/**
 * The command line after `launch.mjs`: what to print instead of starting anything, what is wrong with it, or neither.
 * @returns {{ print?: string, error?: string }}
 */
export function readArguments([command = "start", ...given]) {
  if (isHelp(command)) return { print: overview() }
  if (!Object.hasOwn(commands, command)) return { error: `There is no command "${command}".\n\n${overview()}` }
  if (given.some(isHelp)) return { print: usage(command) }
  const { options, words = {} } = commands[command]
  if (!options) return {}
  for (let at = 0; at < given.length; at++) {
    const [name = "", ...value] = given[at].split("=")
    if (Object.hasOwn(words, given[at])) continue
    const withValue = Object.hasOwn(options, `${name}=`)
    if (!withValue && (!Object.hasOwn(options, name) || value.length > 0))
      return { error: `${command} does not take "${given[at]}".\n\n${usage(command)}` }
    if (!withValue || value.length > 0) continue
    at++
    if (given[at] === undefined || given[at].startsWith("-"))
      return { error: `${name} needs a value.\n\n${usage(command)}` }
  }
  return {}
}

function overview() {
  const lines = Object.entries(commands).map(([name, { does }]) => `  ${runOf(name).padEnd(16)}${does}`)
  return ["Commands:", ...lines, "", "`npm run <command> -- --help` prints what a command takes."].join("\n")
}

function usage(command) {
  const { does, options, words } = commands[command]
  if (!options)
    return [
      `${runOf(command)} -- <command>`,
      does,
      "",
      "Commands, described in lib/cli/README.md:",
      ...adminCommands.map((name) => `  ${name}`),
    ].join("\n")
  if (words)
    return [
      `${runOf(command)} -- [${Object.keys(words).join("] [")}]`,
      does,
      "",
      ...linesOf(words),
      "",
      configuredBy,
    ].join("\n")
  const lines = linesOf(options)
  return [
    `${runOf(command)}${lines.length > 0 ? " -- [options]" : ""}`,
    does,
    "",
    ...(lines.length > 0 ? ["Options:", ...lines] : [`It takes no arguments. ${configuredBy}`]),
  ].join("\n")
}

const configuredBy = "Variables of the environment configure it, see lib/cli/README.md."

function linesOf(options) {
  return Object.entries(options).map(([name, what]) => `  ${name.replace("=", " <value>").padEnd(18)}${what}`)
}

function runOf(command) {
  return command === "start" || command === "test" ? `npm ${command}` : `npm run ${command}`
}
