import { generateKeyPairSync } from "node:crypto"
import fc from "fast-check"
import { dkimVerify } from "mailauth/lib/dkim/verify"
import PostalMime from "postal-mime"
import { describe, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { compose } from "@/lib/delivery/message/compose"
import { sign } from "@/lib/delivery/message/dkim"
import { linksMax, trackHtml, type Wanted } from "@/lib/delivery/message/tracked-html"

const urls = {
  link: (number: number) => `https://links.acme.test/t/L${number}`,
  image: (kind: string, percent = 0) => `https://links.acme.test/t/${kind}${percent}.gif`,
}
const everything: Wanted = { opens: true, clicks: true, reading: true, marks: true }
const track = (html: string, wanted = everything, leaves = (_: URL) => false) => trackHtml(html, wanted, urls, leaves)
const withoutImages = (html: string) => html.replaceAll(/<img src="https:\/\/links\.acme\.test[^>]*>/g, "")

/** A piece of a document; `target` if it is the value of a tracked link, which is between `before` and `after`. */
type Piece = { before: string; value?: string; target?: string; after: string }

const text = fc
  .oneof(
    fc.constantFrom(
      "İstanbul'da ığdır & ŞÇĞ ",
      "<p>",
      "</p>",
      "<table><tr><td>",
      "</td>",
      "<b><i>",
      "</b>",
      "\r\n",
      "\r",
      "\n",
    ),
    fc.constantFrom(
      "&amp;",
      "&nbsp",
      "<",
      " < a href=x",
      "\0",
      "😀 👩‍👩‍👧",
      "<br/>",
      "<div",
      " class=x>",
      "</body>",
      "<title>a<a href='https://t.test'></title>",
    ),
    fc.constantFrom(
      "<!--[if mso]><a href='https://mso.test'>x</a><![endif]-->",
      "<![if !mso]>",
      "<!-- <a href=https://c.test> -->",
    ),
    fc.constantFrom(
      "<style>a[href='https://s.test']{}</style>",
      "<script>'<a href=\"https://s.test\">'</script>",
      "<a>",
      "<area>",
    ),
    fc.constantFrom(
      "<a href='mailto:a@b.test'>",
      "<a href='#top'>",
      "<a href=tel:+90212>",
      "<a href='/relative'>",
      "<a href='//evil.test'>",
    ),
    fc.constantFrom(
      "<a href='javascript:alert(1)'>",
      "<a href='data:text/html,x'>",
      "<a href='https://user:pw@x.test'>",
      "<a href=''>",
    ),
    fc.constantFrom(
      "<a data-mailroom-no-track href='https://left.test'>",
      "<link href='https://css.test'>",
      "<a name=x>",
    ),
    fc.string({ unit: "grapheme", maxLength: 20 }).map((given) => given.replaceAll(/[<>&"'=/!-]/g, "")),
  )
  .map((after): Piece => ({ before: "", after }))

const words = fc.stringMatching(/^[a-z0-9]{1,10}$/)
const link = fc
  .record({
    name: words,
    path: fc.constantFrom("", "/", "/yol?ş=ı&b=2", "/%2F?x=<y>", "/a b", "/ç#ğ"),
    head: fc.constantFrom("<a ", "<A\n", "<a title='>' ", '<area alt="İ" ', "<a\tdata-x href-x=1 ", "<a/"),
    form: fc.constantFrom(['href="', '"'], ["HREF = '", "'"], ["href=", ""], ['hReF\n=\n"', '"']),
    space: fc.constantFrom("", " ", "\n"),
    tail: fc.constantFrom(">Tıkla</a>", " class='b'>x</a>", ">\r\n<b>iç</b></a>", ">"),
  })
  .map(({ name, path, head, form: [before = "", quote = ""], space, tail }): Piece => {
    const bare = `https://${name}.test${quote ? path : "/yol"}`
    const written = quote ? `${space}${bare.replaceAll("&", "&amp;")}${space}` : bare
    return { before: head + before, value: written, target: new URL(bare).href, after: `${quote}${tail}` }
  })

const pieces = fc.array(fc.oneof({ weight: 3, arbitrary: text }, { weight: 2, arbitrary: link }), { maxLength: 40 })
const htmlOf = (given: readonly Piece[]) =>
  given.map(({ before, value = "", after }) => before + value + after).join("")

/** Text in which a tag has begun would take the next pieces for its attributes. */
const isOpen = ({ after, value }: Piece) => value === undefined && /<div$|^ < a|^<$/.test(after)

function expectedOf(given: readonly Piece[]) {
  const numbers = new Map<string, number>()
  const html = given
    .map(({ before, target, after }) => {
      if (target === undefined) return before + after
      if (!numbers.has(target)) numbers.set(target, numbers.size)
      return before + urls.link(numbers.get(target) ?? 0) + after
    })
    .join("")
  return { html, urls: [...numbers.keys()] }
}

const key = generateKeyPairSync("rsa", { modulusLength: 1024 })
const published = `v=DKIM1; k=rsa; p=${key.publicKey.export({ type: "spki", format: "der" }).toString("base64")}`

describe("tracked HTML", () => {
  test("of 500 generated documents differs in the values of its links alone, by the byte, and its signature passes", async () => {
    let tracked = 0
    await fc.assert(
      fc.asyncProperty(pieces, async (generated) => {
        const given = generated.filter((piece) => !isOpen(piece))
        const html = htmlOf(given)
        const result = track(html)
        expect({ html: withoutImages(result.html), urls: result.urls }).toEqual(expectedOf(given))
        expect(Buffer.from(result.html).includes(urls.image("open"))).toBe(true)
        tracked += result.urls.length
        const raw = await sign(await compose(mailOf(result.html)), signer)
        const resolver = async (): Promise<string[][]> => [[published]]
        const { results } = await dkimVerify(raw, { resolver, minBitLength: 1024 })
        expect(results.map(({ status }) => status.result)).toEqual(["pass"])
        const read = await PostalMime.parse(raw)
        expect(Buffer.from(normal(read.html ?? "").trimEnd())).toEqual(Buffer.from(normal(result.html).trimEnd()))
      }),
      { numRuns: 500 },
    )
    expect(tracked).toBeGreaterThan(500)
  }, 120_000)

  test("keeps what a broken tag leaves open, whatever follows it", () => {
    fc.assert(
      fc.property(pieces, (given) => {
        const html = htmlOf(given)
        const result = track(html, { ...everything, marks: false })
        const parts = withoutImages(result.html).split(/https:\/\/links\.acme\.test\/t\/L\d+/)
        let from = 0
        for (const part of parts) {
          const at = html.indexOf(part, from)
          expect(at).toBeGreaterThanOrEqual(from)
          from = at + part.length
        }
        expect(html.endsWith(parts.at(-1) ?? "")).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test("of 2 MiB with thousands of links takes moments; links beyond the limit stay as they are", measured, () => {
    const row = (nth: number) =>
      `<tr><td>${"ş".repeat(200)}<a href="https://shop.test/${nth}">Ürün ${nth}</a></td></tr>\r\n`
    const html = `<table>${Array.from({ length: 4_500 }, (_, nth) => row(nth)).join("")}</table>`
    expect(Buffer.byteLength(html)).toBeGreaterThan(2 * 2 ** 20)
    const startedAt = performance.now()
    const result = track(html)
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    expect(result.urls).toHaveLength(linksMax)
    expect(result.html).toContain(`<a href="https://shop.test/${linksMax}">`)
    const back = withoutImages(result.html).replaceAll(
      /https:\/\/links\.acme\.test\/t\/L(\d+)"/g,
      (_, n) => `${result.urls[n]}"`,
    )
    expect(back).toBe(html)
  })

  test("leaves what its sender wants left, by attribute or by URL, and everything with clicks switched off", () => {
    const html = "<a href='https://left.test/u'>x</a><a href=https://a.test>y</a>"
    expect(track(html, everything, ({ host }) => host === "left.test").urls).toEqual(["https://a.test/"])
    expect(withoutImages(track(html, { ...everything, clicks: false }).html)).toBe(html)
  })

  test("has its image before the end of the real body, not before one in a comment or a script", () => {
    const html = "<body>x</body><!-- </body> --><script>'</body>'</script></html>"
    const only = { opens: true, clicks: false, reading: false, marks: false }
    expect(track(html, only).html).toMatch(/^<body>x<img [^>]*><\/body><!-- <\/body> -->/)
    expect(track("no body", only).html).toMatch(/^no body<img [^>]*>$/)
  })

  test("has marks at quarters of a long text, each at the start of a block, and none in a short one", () => {
    const html = `<body>${"<p>Bir paragraf metin, yeterince uzun.</p>".repeat(100)}</body>`
    const marked = track(html).html
    const at = [25, 50, 75, 100].map((percent) => marked.indexOf(urls.image("mark", percent)) / marked.length)
    expect(at.map((part) => Math.round(part * 4) / 4)).toEqual([0.25, 0.5, 0.75, 1])
    expect(marked.match(/<p><img/g)).toHaveLength(3)
    expect(withoutImages(marked)).toBe(html)
    expect(track("<body><p>Kısa</p></body>")).toMatchObject({ short: true, html: expect.not.stringContaining("mark") })
  })
})

const signer = { domain: "acme.test", selector: "a", key: key.privateKey }

function mailOf(html: string) {
  return {
    messageId: "<a@acme.test>",
    date: new Date(0),
    from: { address: "a@acme.test" },
    to: [{ address: "b@x.example" }],
    cc: [],
    subject: "Merhaba",
    html,
    attachments: [],
    headers: [],
  }
}

/** Line ends and what a text in UTF-8 cannot hold, as email has them. */
function normal(html: string): string {
  return html.replaceAll(/\r\n?|\n/g, "\n").toWellFormed()
}
