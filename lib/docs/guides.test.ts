import { describe, expect, test } from "vitest"
import { permissions } from "@/lib/access/permissions"
import {
  guideNames,
  guides,
  guidesFolder,
  guideSource,
  operatingGuides,
  parseGuide,
  parseInline,
} from "@/lib/docs/guides"
import { nobody, permissionsFor, written, type Reader } from "@/lib/docs/reader-rules"
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

test("samples between marks are tabs, one for each language", () => {
  const source =
    "# Title\n\nThe lead.\n\n<!-- tabs -->\n\n<!-- run: x -->\n\n```sh\nls\n```\n\n```ts\nlist()\n```\n\n<!-- tabs end -->\n\nText.\n"
  expect(parseGuide(source).blocks).toEqual([
    {
      kind: "tabs",
      samples: [
        { lang: "sh", code: "ls" },
        { lang: "ts", code: "list()" },
      ],
    },
    { kind: "paragraph", content: [{ kind: "text", text: "Text." }] },
  ])
})

test("a sample within a list is code, and the list goes on with its number", () => {
  const source = "# Title\n\nThe lead.\n\n1. Write:\n\n   ```\n   A=1\n     B=2\n   ```\n\n2. Start.\n"
  const step = (text: string) => [[{ kind: "text", text }]]
  expect(parseGuide(source).blocks).toEqual([
    { kind: "list", ordered: true, items: step("Write:") },
    { kind: "code", lang: "", code: "A=1\n  B=2" },
    { kind: "list", ordered: true, start: 2, items: step("Start.") },
  ])
})

test("a bar with a backslash is part of its cell", () => {
  const [table] = parseGuide("# T\n\nL.\n\n| a | b |\n| - | - |\n| `x\\|y` | z |\n").blocks
  expect(table).toMatchObject({ rows: [[[{ kind: "code", text: "x|y" }], [{ kind: "text", text: "z" }]]] })
})

test("every row of a guide's table has as many cells as its head", () => {
  for (const [name, { blocks }] of guides())
    for (const block of blocks)
      if (block.kind === "table") for (const row of block.rows) expect(row, name).toHaveLength(block.head.length)
})

test("the operator's guide is among the docs, whole, with its tables and samples", () => {
  for (const [page, { title, lead, blocks }] of operatingGuides()) {
    expect([page, title.length > 2, lead.length > 30]).toEqual([page, true, true])
    expect(blocks.filter(({ kind }) => kind === "heading").length).toBeGreaterThan(4)
    expect(JSON.stringify(blocks), page).not.toMatch(/"kind":"strong","text":"[^"]*`/)
    expect(JSON.stringify(blocks), page).not.toMatch(/```|(?<!\w)_[A-Z][a-z]+_|\\\\\|/)
    for (const block of blocks)
      if (block.kind === "table") for (const row of block.rows) expect(row).toHaveLength(block.head.length)
  }
  const operating = JSON.stringify(operatingGuides().get("operating"))
  for (const word of ["SMTP_URL_US_EAST_1=direct:", "create-key --project ID --permissions a,b|all", "/docs/hosts"])
    expect(operating).toContain(word)
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
    expect(title.length > 2, name).toBe(true)
    expect(lead.length > 30, name).toBe(true)
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

describe("a guide is written for its reader", () => {
  const everybody = guideNames.map((name) => [name, guideSource(name)] as const)
  const own: Reader = {
    baseUrl: "https://mail.acme.example",
    submission: { port: 25_587, tlsPort: 25_465 },
    inboundPort: 25,
    serviceDomain: "mail.acme.example",
    testDomains: false,
    relays: true,
    project: { id: "proj_01k9q3f7c2e8m9v4x6y8z0a1b3", name: "Shop", region: "af-south-1" },
    domain: { id: "dom_01k9q3f7c2e8m9v4x6y8z0a1b3", name: "news.acme.example" },
    keys: [
      { name: "Shop [back]", permissions: ["emails:send", "emails:read"] },
      { name: "Nightly", permissions: ["webhooks:write"] },
    ],
  }

  test("with this installation's address, and the reader's own project, region and domain", () => {
    for (const [name, source] of everybody) {
      const text = written(source, own)
      expect(
        text.match(
          /localhost:3000|shop\.test|\b(?:2587|2465|2526)\b|eu-west-1|us-east-1|proj_…|dom_…|\{\{(?:smtpPort|smtpTlsPort|inboundPort|domain|simulator|recipient)\}\}|<!-- (?:if|else|end)/g,
        ),
        name,
      ).toBe(null)
      // No sample reads a variable that has a value already.
      expect(text.match(/\b(?:MAILROOM|PROJECT|REGION|DOMAIN)\b(?!_)/g), name).toBe(null)
      expect(text, name).toContain("export KEY=mr_live_…  # the API key\n")
    }
    const quickstart = written(guideSource("quickstart"), own)
    expect(quickstart).toContain(`"https://mail.acme.example/v1/projects/${own.project?.id}/emails/$EMAIL/explanation"`)
    expect(quickstart).toContain(
      'const { KEY } = process.env\nconst response = await fetch("https://mail.acme.example/v1/emails", {',
    )
    expect(quickstart).toContain('    "https://mail.acme.example/v1/emails",\n')
    expect(written(guideSource("domains"), own)).toContain(`/domains/${own.domain?.id}/verify"`)
    expect(quickstart).toContain('"from": "Shop <orders@news.acme.example>"')
    // Nobody is there at a made-up address, and a real relay would try it.
    expect(quickstart).toContain("delivered@simulator.mail.acme.example")
    expect(quickstart).not.toContain("Sandbox mailbox")
    expect(quickstart).not.toContain("run: add-domain")
    expect(written(guideSource("other-services"), own)).toContain('mail.acme.example/postmark", useHttps: true })')
    expect(written(guideSource("other-services"), nobody)).toContain('localhost:3000/postmark", useHttps: false })')
    expect(written(guideSource("inbound"), own)).toContain("curl -s smtp://localhost:25 --mail-from")
    expect(quickstart).toContain("your project **Shop** and its domain **news.acme.example**")
  })

  test("a stranger gets a line for every variable that the samples read and do not set themselves", () => {
    for (const [name, source] of everybody) {
      const code = [...written(source, nobody).matchAll(/```\w*\n([\s\S]*?)\n```/g)].map(([, text = ""]) => text)
      const all = code.join("\n")
      const read = [...all.matchAll(/\$\{?([A-Z]{3,})\b|environ\["([A-Z]+)"\]/g)].map(([, one, other]) => one ?? other)
      const set = new Set([...all.matchAll(/^\s*(?:export )?([A-Z]+)=/gm)].map(([, one]) => one))
      expect(
        read.filter((one) => one !== undefined && !set.has(one)),
        name,
      ).toEqual([])
      expect(all, name).not.toContain("MAILROOM}")
      expect(code[0], name).toContain("export KEY=mr_live_…")
    }
    expect(written(guideSource("quickstart"), nobody)).toMatch(
      /^export PROJECT=proj_… {2}# the project's ID, under Settings$/m,
    )
  })

  test("names the keys that may do what the samples do, or says that there is none", () => {
    expect(written(guideSource("sdk"), own)).toContain(
      "They need a key with `emails:send`; **Shop  back ** has it. A key is shown only when it is made: [create one](/projects/proj_01k9q3f7c2e8m9v4x6y8z0a1b3/api-keys) if you do not have it.",
    )
    expect(written(guideSource("contacts"), own)).toContain(
      "They need a key with `contacts:read` and `contacts:write`. No key of the project has them: [create one](/projects/proj_01k9q3f7c2e8m9v4x6y8z0a1b3/api-keys).",
    )
  })

  test("asks for no permission to add a domain of a reader who has one, and of others for that, too", () => {
    const quickstart = guideSource("quickstart")
    expect(permissionsFor(quickstart, own)).toEqual(["emails:send", "emails:read"])
    const text = written(quickstart, own)
    expect(text).toContain("They need a key with `emails:send` and `emails:read`; **Shop  back ** has them.")
    expect(text).not.toContain("domains:")
    expect(permissionsFor(quickstart, nobody)).toEqual(["domains:write", "domains:read", "emails:send", "emails:read"])
  })

  test("has a reader without a domain add one of their own where no name server answers for .test", () => {
    const { domain: _, ...without } = own
    for (const reader of [without, { ...nobody, serviceDomain: own.serviceDomain, testDomains: false, relays: true }]) {
      const text = written(guideSource("quickstart"), reader)
      expect(text.match(/\.test\b|sandbox|without a domain|<!-- (?:if|else|end)/gi)).toBe(null)
      expect(text).toContain("Copy them to your DNS provider")
      expect(text).toContain('{"domain": "shop.example", "region": ')
      expect(text.indexOf("run: add-domain")).toBeLessThan(text.indexOf("run: verify"))
      expect(text.indexOf("run: verify")).toBeLessThan(text.indexOf("run: send -->"))
      expect(parseGuide(text).lead).toMatch(/^Send your first email/)
    }
    const onOneMachine = written(guideSource("quickstart"), nobody)
    expect(onOneMachine).toContain('{"domain": "shop.test", "region": ')
    expect(onOneMachine).not.toContain("run: verify")
    expect(parseGuide(onOneMachine).lead).toContain("without a domain of your own")
  })

  test("says what the key needs, and that a key for sending does not have it", () => {
    expect(written(guideSource("webhooks"), nobody)).toContain(
      "The key needs the permission `webhooks:write`; **Everything** includes it, **Sending** does not.",
    )
    expect(written(guideSource("sdk"), nobody)).toContain(
      "The key needs the permission `emails:send`; **Everything** includes it, and so does **Sending**.",
    )
    const known = new Set<string>(permissions)
    for (const [name, source] of everybody) {
      const needed = permissionsFor(source, nobody)
      expect(needed.length > 0, name).toBe(true)
      expect(
        needed.filter((one) => !known.has(one)),
        name,
      ).toEqual([])
    }
  })
})
