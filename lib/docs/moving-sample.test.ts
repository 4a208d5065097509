import { transformSync } from "esbuild"
import { expect, test } from "vitest"
import { guideSamples } from "@/e2e/support/guide-samples"
import { nobody } from "@/lib/docs/reader-rules"

type Row = { email: string; reason: string }

const AsyncFunction = (async () => {}).constructor as FunctionConstructor
const sample = guideSamples(nobody).find(({ guide, name }) => guide === "moving" && name === "import-suppressions")

/** Runs the guide's program on these files; what it sends, a list for each request. */
async function sentFrom(files: Record<string, string>): Promise<Row[][]> {
  const { code } = transformSync(sample?.code ?? "", { loader: "ts", format: "esm", target: "es2022" })
  const sent: Row[][] = []
  const given = {
    readFileSync: (file: string) => files[file],
    basename: (file: string) => file.split("/").at(-1),
    process: {
      env: { MAILROOM: "http://localhost:3000", KEY: "k", PROJECT: "p" },
      argv: ["", "", ...Object.keys(files)],
    },
    console: { log: () => {} },
    fetch: async (_: string, { body }: { body: string }) => {
      sent.push((JSON.parse(body) as { suppressions: Row[] }).suppressions)
      return { ok: true, json: async () => ({ imported: 0, skipped: 0 }) }
    },
  }
  await new AsyncFunction(...Object.keys(given), code.replaceAll(/^import .*$/gm, ""))(...Object.values(given))
  return sent
}

test("every address of an exported CSV is sent: beside empty cells, and reasons with commas, quotes and line breaks", async () => {
  const bounces = [
    "status,reason,email,created",
    ",550 No such user,first@gone.example,1761000000",
    '5.1.1,"550-5.1.1 No, ""first"" of\n550 two lines",second@gone.example,1761000001',
    ',,"third@gone.example",1761000002',
    "",
  ].join("\r\n")
  const reports = "\uFEFFip,Email,created\n,fourth@gone.example,1761000003\n"
  const sent = await sentFrom({ "unsubscribed/bounces.csv": bounces, "spam_reports.csv": reports })
  expect(sent).toEqual([
    ["first", "second", "third"].map((name) => ({ email: `${name}@gone.example`, reason: "bounce" })),
    [{ email: "fourth@gone.example", reason: "complaint" }],
  ])
})

test("who has left by a link of Postmark is sent as one who unsubscribed, and who was added by hand is not", async () => {
  const of = (EmailAddress: string, SuppressionReason: string, Origin: string) => ({
    ...{ EmailAddress, SuppressionReason, Origin },
  })
  const Suppressions = [
    of("left@gone.example", "ManualSuppression", "Recipient"),
    of("added@gone.example", "ManualSuppression", "Customer"),
    of("bounced@gone.example", "HardBounce", "Recipient"),
  ]
  const [rows = []] = await sentFrom({ "dump.json": JSON.stringify({ Suppressions }) })
  expect(rows.map(({ reason }) => reason)).toEqual(["unsubscribe", "manual", "bounce"])
})

test("a list of any length is sent in fewer requests than a key may make in a minute", async () => {
  const lines = Array.from({ length: 200_000 }, (_, at) => `${at}@gone.example`)
  const sent = await sentFrom({ "bounces.csv": `email\n${lines.join("\n")}\n` })
  expect([sent.length < 120, sent.flat().length]).toEqual([true, 200_000])
})
