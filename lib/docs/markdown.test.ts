import { expect, test } from "vitest"
import { guideNames, guides, guidesFolder } from "@/lib/docs/guides"
import { parseGuide, parseInline } from "@/lib/docs/markdown"
import { searchIndex } from "@/lib/docs/search-index"
import { searched } from "@/lib/docs/search-rules"
import { findProblem } from "@/lib/api/problem-pages"
import { readdirSync } from "node:fs"

test("a guide has a title, a lead, and its blocks in order", () => {
  const source =
    "# Title\n\nThe lead\ngoes on.\n\n## First part\n\nText `code` here.\n\n- one\n  more\n- two\n\n<!-- run: x -->\n\n```sh\n# not a heading\n\nls\n```\n\n| a | b |\n| --- | --- |\n| 1 | **2** |\n"
  expect(parseGuide(source)).toEqual({
    title: "Title",
    lead: "The lead goes on.",
    blocks: [
      { kind: "heading", level: 2, id: "first-part", text: "First part" },
      {
        kind: "paragraph",
        content: [
          { kind: "text", text: "Text " },
          { kind: "code", text: "code" },
          { kind: "text", text: " here." },
        ],
      },
      { kind: "list", ordered: false, items: [[{ kind: "text", text: "one more" }], [{ kind: "text", text: "two" }]] },
      { kind: "code", lang: "sh", code: "# not a heading\n\nls" },
      {
        kind: "table",
        head: [[{ kind: "text", text: "a" }], [{ kind: "text", text: "b" }]],
        rows: [[[{ kind: "text", text: "1" }], [{ kind: "strong", text: "2" }]]],
      },
    ],
  })
})

test("what is in code is not marked up again", () => {
  expect(parseInline("`**a** [b](c)` and [text](/docs/x)")).toEqual([
    { kind: "code", text: "**a** [b](c)" },
    { kind: "text", text: " and " },
    { kind: "link", text: "text", href: "/docs/x" },
  ])
})

test("every guide beside the page is listed, with a title, a lead and sections", () => {
  const files = readdirSync(guidesFolder).flatMap((file) => (file.endsWith(".md") ? file.replace(".md", "") : []))
  expect([...guideNames].sort()).toEqual(files.sort())
  for (const [name, { title, lead, blocks }] of guides()) {
    expect([name, title.length > 2, lead.length > 30]).toEqual([name, true, true])
    expect(blocks.filter(({ kind }) => kind === "heading").length).toBeGreaterThan(1)
  }
})

test("links within the product lead to guides and problems that exist", () => {
  const links = JSON.stringify([...guides().values()]).matchAll(/"href":"(\/[^"]*)"/g)
  const known = new Set(["/docs/reference", "/problems", ...guideNames.map((name) => `/docs/${name}`)])
  const missing = [...links].flatMap(([, href = ""]) =>
    known.has(href) || findProblem(href.replace("/problems/", "")) ? [] : href,
  )
  expect(missing).toEqual([])
})

test("the search finds guides by their words and operations by name and path", () => {
  const entries = searchIndex()
  const first = (query: string) => searched(entries, query)[0]
  expect(first("verify signature")?.href).toBe("/docs/webhooks#verify-the-signature")
  expect(first("idempotency")?.href).toBe("/docs/idempotency")
  expect(searched(entries, "send email").map(({ context }) => context)).toContain("POST /v1/emails")
  expect(searched(entries, "zzzz")).toEqual([])
  expect(searched(entries, "  ")).toEqual([])
})
