import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { expect, test } from "vitest"

/**
 * A linear pattern takes a tenth of a millisecond for 10,000 characters, a quadratic one a hundred and more. Short texts,
 * for which that is 25 times less, tell which patterns are worth the long ones.
 */
const long = { length: 10_000, mostMs: 25 }
const brief = { length: 2_000, mostMs: 1 }

/** Whose time grows with the square of the text, because the text cannot be long. */
const short: Record<string, string> = {
  "lib/domains/check/dmarc.ts: /[\\s,]+$/": "a record of at most 2,048 characters",
  "lib/domains/records/dmarc-record.ts: /^[\\s;,|=]+|[\\s;,|]+$/g": "a record of at most 2,048 characters",
  "lib/domains/records/dmarc-record.ts: /\\s*[;|].*$/": "a record of at most 2,048 characters",
  "components/domains/domain-forms.tsx: /^([^/?#\\s]+\\.[^/?#\\s]+)[/?#]/": "what the reader types into one field",
  "lib/docs/guides.ts: /(`[^`]+`|\\*\\*[^*]+\\*\\*|\\[[^\\]]+\\]\\([^)\\s]+\\))/": "our own guides",
  "lib/projects/rules.ts: /-+$/": "a slug cut to 50 characters",
  "lib/explanation/explain.ts: /[.\\s]+$/": "a server's words, kept to 1,000 characters",
  "components/segments/why-card.tsx: /.@.+[.]/": "what the reader types into one field",
  "components/layout/palette/commands.ts: /^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/": "what the reader types into one field",
  "components/domains/sentence.ts: /(?<=\\bto the host |\\bEnter )[\\w@*-]+(?:\\.[\\w-]+)*|[\\w:@-]+(?:\\.[\\w-]+)+/g":
    "our own sentences",
}

test(
  "every pattern in the product takes linear time, whatever it is given, or its text is short",
  { timeout: 120_000 },
  () => {
    const patterns = ["lib", "app", "components"].flatMap((folder) => filesOf(folder).flatMap(patternsOf))
    expect(patterns.length).toBeGreaterThan(200)
    const slow = new Map<string, boolean>()
    const faults = patterns.filter(({ at, source, flags }) => {
      if (short[at]) return false
      const pattern = new RegExp(source, flags)
      if (!slow.has(String(pattern))) slow.set(String(pattern), isSlow(pattern))
      return slow.get(String(pattern))
    })
    expect(faults.map(({ at }) => at)).toEqual([])
  },
)

test("the search finds the patterns that are known to be slow", () => {
  for (const pattern of [/^[^\s@]+@[^\s@]+\.[^\s@]+$/, /\s+$/, /-+$/]) {
    expect(isSlow(pattern), pattern.source).toBe(true)
  }
})

const units = [
  ..."a1 .-@/\\\n\"'<&=;,%([_:é\0".split(""),
  ...[
    "\t",
    "\r",
    "\r\n",
    "ab",
    "a.",
    "a@",
    "a-",
    "1.",
    "- ",
    "a ",
    ": ",
    "=a",
    "/a",
    "\r\n ",
    "<a",
    'a="',
    "=?",
    "a\n",
  ],
]
const textsOf = (length: number) =>
  units.flatMap((unit) =>
    ["", "a@", "<", '"', "http://a"].flatMap((head) =>
      ["!", "\n!", ""].map((tail) => head + unit.repeat(length / unit.length) + tail),
    ),
  )
const [briefTexts, longTexts] = [textsOf(brief.length), textsOf(long.length)]

function isSlow(pattern: RegExp): boolean {
  const isWorthMore = briefTexts.some((text) => msOf(pattern, text, brief.mostMs) > brief.mostMs)
  return isWorthMore && longTexts.some((text) => msOf(pattern, text, long.mostMs) > long.mostMs)
}

/** The quickest of at most twelve runs, since other processes may delay many. */
function msOf(pattern: RegExp, text: string, mostMs: number): number {
  let best = Infinity
  for (let run = 0; run < 12 && best > mostMs; run++) {
    const startedAt = performance.now()
    if (pattern.global) text.replace(pattern, "")
    else pattern.test(text)
    best = Math.min(best, performance.now() - startedAt)
  }
  return best
}

function filesOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)).replaceAll("\\", "/"))
  return names.filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
}

function patternsOf(file: string): { at: string; source: string; flags: string }[] {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const found: { at: string; source: string; flags: string }[] = []
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/")
      found.push({
        at: `${file}: ${node.text}`,
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1).replace("y", ""),
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, kind))
  return found
}
