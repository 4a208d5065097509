import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { withFooter } from "@/lib/delivery/message/unsubscribe-footer"

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

  it("leaves every character of the markup around it as it was, also where letter case changes lengths", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("İ", "ŉ", "ﬃ", "ΐ", "ẞ", "<p>", "</p>", "</BODY>", "</body>", "</bOdY"),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const markup = pieces.join("")
        const { html } = withFooter({ text: null, html: markup }, url)
        const [, before, after] =
          /^(.*)<p style="[^"]*"><a href="[^"]*" [^>]*>[^<]*<\/a><\/p>(.*)$/su.exec(html ?? "") ?? []
        expect(`${before}${after}`).toBe(markup)
        expect(after).toMatch(/^(<\/body>|$)/i)
        expect(after?.slice(1)).not.toMatch(/<\/body>/i)
      }),
      { numRuns: 2_000 },
    )
  })

  it("is added before the end of a Turkish body", () => {
    const markup = `<body>${"İ".repeat(100)}</body></html>`
    expect(withFooter({ text: null, html: markup }, url).html).toMatch(/^<body>İ{100}<p .*<\/p><\/body><\/html>$/u)
  })
})
