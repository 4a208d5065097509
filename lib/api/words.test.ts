import { readdirSync, readFileSync } from "node:fs"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import { noticeEmail } from "@/lib/access/system-mail/notice-messages"
import { sampleNotices } from "@/e2e/support/access/sample-notices"
import { apiDocument } from "@/lib/api/openapi"
import { allProblems } from "@/lib/api/problem-pages"

/** Words that a reader who knows email and TypeScript would not understand, and what to write instead. */
const refused: [words: RegExp, instead: string][] = [
  [/\b(?:an?|the|this|that|each|every|last|next|first|latest|earlier|\d+) looks?\b/i, "check"],
  [/\blooks\b(?! (?:like|up|at|for|into|as|right|the same))/i, "checks"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  // Letters of the alphabet come with digits, numbers or their case.
  [/(?<!(?:case|capital) )\bletters?\b(?!(?:, | and | or )(?:digits|numbers))/i, "email"],
  [/\bstands?\b(?!-| for\b)/i, "is"],
  [/\bhand-offs?\b/i, "SMTP delivery"],
  [/\bat the desk\b/i, "authentication"],
  [/\bin hand\b/i, "in progress"],
]
const refusedFields = new Set(["look", "looks", "mend", "mistake", "handOff"])

describe("words of our own are refused", () => {
  test("in the texts of pages and components", () => {
    const files = ["components", "app"]
      .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => `${folder}/${String(name)}`))
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    expect(files.length).toBeGreaterThan(300)
    expect(files.flatMap((file) => faultsIn(textsOf(file), file))).toEqual([])
  })

  test("in the OpenAPI document, its fields included", () => {
    const { texts, fields } = within(apiDocument())
    expect(texts.length).toBeGreaterThan(500)
    expect(faultsIn(texts, "openapi.json")).toEqual([])
    expect(fields.filter((name) => refusedFields.has(name))).toEqual([])
  })

  test("in the emails to owners", () => {
    const place = { project: "Shop", url: "https://mail.example.com" }
    const emails = Object.values(sampleNotices).map((notice) =>
      noticeEmail({ ...notice, ...place }, "mail.example.com"),
    )
    expect(
      faultsIn(
        emails.flatMap(({ subject, text }) => [subject, text]),
        "notices",
      ),
    ).toEqual([])
  })

  test("in the problems and their pages", () => {
    const { texts } = within(allProblems())
    expect(texts.length).toBeGreaterThan(50)
    expect(faultsIn(texts, "problems")).toEqual([])
  })
})

function faultsIn(texts: readonly string[], place: string): string[] {
  return texts.flatMap((text) =>
    refused.flatMap(([words, instead]) => {
      const found = words.exec(text)
      return found ? [`${place}: "${found[0]}" (${instead}) in "${text.replace(/\s+/g, " ").trim()}"`] : []
    }),
  )
}

/** What a file may show: texts between tags and string literals, but for names of modules and classes. */
function textsOf(file: string): string[] {
  const code = readFileSync(file, "utf8")
  // Most files have none of the words anywhere: parsing them all takes seconds.
  if (!refused.some(([words]) => words.test(code))) return []
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  const texts: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isJsxAttribute(node) && node.name.getText() === "className") return
    if (ts.isJsxText(node) || ts.isStringLiteralLike(node) || isTemplatePart(node)) texts.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return texts
}

function isTemplatePart(node: ts.Node): node is ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail {
  return ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)
}

function within(value: unknown): { texts: string[]; fields: string[] } {
  if (typeof value === "string") return { texts: [value], fields: [] }
  if (typeof value !== "object" || value === null) return { texts: [], fields: [] }
  const parts = Object.values(value).map(within)
  return {
    texts: parts.flatMap(({ texts }) => texts),
    fields: [...Object.keys(value), ...parts.flatMap(({ fields }) => fields)],
  }
}
