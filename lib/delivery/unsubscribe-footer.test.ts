import { describe, expect, it } from "vitest"
import { withFooter } from "@/lib/delivery/unsubscribe-footer"

const url = "https://mail.example/u/AbC_-1"

describe("the line that leads to the recipient's page", () => {
  it("stands under the text, on lines of its own", () => {
    expect(withFooter({ text: "News.", html: null }, url)).toEqual({
      text: `News.\n\nUnsubscribe, or choose which emails you get:\n${url}\n`,
      html: null,
    })
  })

  it("stands in the markup's body, whatever the case of its end and however often it occurs", () => {
    const { html } = withFooter({ text: null, html: "<html><body><!-- </body> --><p>News</p></BODY></html>" }, url)
    expect(html).toMatch(new RegExp(`^<html><body><!-- </body> --><p>News</p><p [^>]*><a href="${url}"[^>]*>[^<]+</a></p></BODY></html>$`))
  })

  it("ends markup without a body, and leaves an absent body absent", () => {
    const { text, html } = withFooter({ text: null, html: "<p>News</p>" }, url)
    expect(text).toBeNull()
    expect(html).toMatch(/^<p>News<\/p><p [^>]*><a [^>]*>[^<]+<\/a><\/p>$/)
  })
})
