import fc from "fast-check"
import { type DefaultTreeAdapterTypes as Tree, parse } from "parse5"
import { describe, expect, it } from "vitest"
import { trackHtml } from "@/lib/delivery/message/tracked-html"
import { withFooter } from "@/lib/delivery/message/unsubscribe"

const url = "https://mail.example/u/AbC_-1"

describe("the link to the recipient's page", () => {
  it("is added below the text, on lines of its own", () => {
    expect(withFooter({ text: "News.", html: null }, url)).toEqual({
      text: `News.\n\nUnsubscribe, or choose which emails you get:\n${url}\n`,
      html: null,
    })
  })

  it("is added to the HTML body, whatever the case of `</body>` and however often it occurs", () => {
    const { html } = withFooter({ text: null, html: "<html><body><!-- </body> --><p>News</p></BODY></html>" }, url)
    expect(html).toMatch(
      new RegExp(`^<html><body><!-- </body> --><p>News</p><p [^>]*><a href="${url}"[^>]*>[^<]+</a></p></BODY></html>$`),
    )
  })

  it("ends markup without a body, and leaves an absent body absent", () => {
    const { text, html } = withFooter({ text: null, html: "<p>News</p>" }, url)
    expect(text).toBeNull()
    expect(html).toMatch(/^<p>News<\/p><p [^>]*><a [^>]*>[^<]+<\/a><\/p>$/)
  })

  it("leaves every character of the markup around it as it was, and is shown, whatever comes before or after", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("İ", "ŉ", "ﬃ", "ΐ", "ẞ", "<p>", "</p>", "</BODY>", "</body>", "</bOdY", "\r\n", "\0"),
      fc.constantFrom("<!--", "-->", "--!>", "<!-->", "<!", "<?x", "<style>", "</style>", "<script>", "</script>"),
      fc.constantFrom(
        "<title>",
        "</title>",
        "<textarea>",
        "</textarea>",
        "<iframe>",
        "<plaintext>",
        '<a title="',
        '">',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const markup = pieces.join("")
        const html = withFooter({ text: null, html: markup }, url).html ?? ""
        const [footer = ""] = /<p style="[^"]*"><a href="[^"]*" [^>]*>[^<]*<\/a><\/p>/.exec(html) ?? []
        expect(html.replace(footer, () => "")).toBe(markup)
        expect(shownLinks(html)).toContain(url)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    "<body><p>News</p></body><!-- </body> -->",
    "<body><p>News</p></body></html><script>document.write('</body>')</script>",
    "<body><p>News</p></body><style>/* </body> */</style>",
    "<p>News</p><!-- </body>",
    "<p>News</p><style>p { color: red } </body>",
    '<p>News</p><a title="</body>',
    "<p>News</p><textarea></body></textarea>",
    "<!--[if mso]><body><![endif]--><p>News</p><!--[if mso]></body><![endif]-->",
  ])("is shown in %j", (markup) => {
    expect(shownLinks(withFooter({ text: null, html: markup }, url).html ?? "")).toEqual([url])
  })

  it("follows the images of a tracked message, before the end of its body", () => {
    const markup = '<body><a href="https://a.example">A</a></body><a href="https://b.example">B</a><!-- </body> -->'
    const wanted = { opens: true, clicks: true, reading: false, marks: false }
    const urls = {
      link: (number: number) => `https://t.example/a/long/one/${number}`,
      image: () => "https://t.example/i",
    }
    const { html, bodyEnd } = trackHtml(markup, wanted, urls, () => false)
    const whole = withFooter({ text: null, html }, url, bodyEnd).html ?? ""
    expect(whole).toMatch(/<img [^>]*><p [^>]*><a [^>]*>[^<]*<\/a><\/p><\/body><a /)
    expect(shownLinks(whole)).toEqual(["https://t.example/a/long/one/0", url, "https://t.example/a/long/one/1"])
  })

  it("is added before the end of a Turkish body", () => {
    const markup = `<body>${"İ".repeat(100)}</body></html>`
    expect(withFooter({ text: null, html: markup }, url).html).toMatch(/^<body>İ{100}<p .*<\/p><\/body><\/html>$/u)
  })
})

/** Targets of the hyperlinks that a mail program would show. */
function shownLinks(html: string): string[] {
  const linksIn = (node: Tree.Node): string[] => {
    const own = "tagName" in node && node.tagName === "a" ? node.attrs.filter(({ name }) => name === "href") : []
    const children = "childNodes" in node ? node.childNodes.flatMap(linksIn) : []
    return [...own.map(({ value }) => value), ...children]
  }
  return linksIn(parse(html, { scriptingEnabled: false }))
}
