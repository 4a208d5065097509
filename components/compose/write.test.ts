import fc from "fast-check"
import { expect, it } from "vitest"
import { writtenHtml, writtenText } from "@/components/compose/write"

const body = (html: string) => html.replace(/^<div [^>]*>\n/, "").replace(/\n<\/div>$/, "")

it("paragraphs, line breaks, a heading, a list, emphasis and links become HTML, and read well as text", () => {
  const written = [
    "Hi Ada,",
    "",
    "**Every** invoice comes with a *PDF*.",
    "Nothing else changes.",
    "# What's new",
    "- The same number",
    "- See [your account](https://acme.test/a?b=1&c=2).",
    "",
    "Or https://acme.test/help.",
  ].join("\n")
  expect(body(writtenHtml(written))).toBe(
    [
      "<p>Hi Ada,</p>",
      "<p><strong>Every</strong> invoice comes with a <em>PDF</em>.<br>",
      "Nothing else changes.</p>",
      "<h2>What's new</h2>",
      "<ul>",
      "  <li>The same number</li>",
      '  <li>See <a href="https://acme.test/a?b=1&amp;c=2">your account</a>.</li>',
      "</ul>",
      '<p>Or <a href="https://acme.test/help">https://acme.test/help</a>.</p>',
    ].join("\n"),
  )
  expect(writtenText(written)).toBe(
    "Hi Ada,\n\nEvery invoice comes with a PDF.\nNothing else changes.\n\nWhat's new\n\n- The same number\n- See your account (https://acme.test/a?b=1&c=2).\n\nOr https://acme.test/help.",
  )
})

it("a button and a picture have a line of their own, and what they say is in the text", () => {
  const written =
    'Hi,\n[[Open “it”]](https://acme.test/a?b=1&c=2)\n![Our "team"](https://acme.test/t.png)\n![](cid:logo)\nBye'
  const html = body(writtenHtml(written))
  expect(html).toMatch(
    /^<p>Hi,<\/p>\n<p><a href="https:\/\/acme\.test\/a\?b=1&amp;c=2" style="[^"]+">Open “it”<\/a><\/p>\n/,
  )
  expect(html).toContain('<img src="https://acme.test/t.png" alt="Our &quot;team&quot;" style="')
  expect(html).toMatch(/<img src="cid:logo" alt="" style="[^"]+"><\/p>\n<p>Bye<\/p>$/)
  expect(writtenText(written)).toBe('Hi,\n\nOpen “it” (https://acme.test/a?b=1&c=2)\n\nOur "team"\n\nBye')
})

it("a button or picture inside a line, or with another scheme, is text", () => {
  const plain = ["see ![x](data:image/png)", "[[x]](javascript:alert(1))", "![x](file:///etc/passwd)"].join("\n\n")
  expect(body(writtenHtml(plain))).not.toMatch(/<(?:a|img)\b/)
})

it("nothing written is nothing", () => {
  expect(writtenHtml("")).toBe("")
  expect(writtenHtml(" \n\n ")).toBe("")
  expect(writtenText("\n")).toBe("")
})

it("arithmetic, lone marks and other schemes are text", () => {
  const plain = "2 * 3 * 4, a ** b, [x](javascript:alert(1)) and snake_case"
  expect(body(writtenHtml(plain))).toBe(`<p>${plain}</p>`)
})

it("whatever is written, no tag but ours and no attribute but an address of http, mail or a part comes out", () => {
  const pieces = fc.constantFrom(
    "<script>",
    "<img src=x onerror=a>",
    '"',
    "'",
    "&",
    "](",
    "[",
    "**",
    "*",
    "\n",
    "- ",
    "# ",
  )
  const links = fc.constantFrom(
    "https://a.test/",
    "javascript:x",
    "(mailto:a@b.test)",
    '[w](https://a.test/"onclick=x)',
    '\n[[w]](https://a.test/"onclick=x)\n',
    '\n![w"onerror=x](https://a.test/">)\n',
    "\n![w](javascript:x)\n",
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, links, fc.string({ maxLength: 5 })), { maxLength: 12 }), (parts) => {
      const tags = body(writtenHtml(parts.join(""))).match(/<[^>]*>?/g) ?? []
      const ours =
        /^<(?:\/?(?:p|h2|ul|li|strong|em)|br|\/a|a href="(?:https?:|mailto:)[^"<>]*"(?: style="[\w:;#% -]+")?|img src="(?:https?:|cid:)[^"<>]*" alt="[^"<>]*" style="[\w:;#% -]+")>$/
      expect(tags.filter((tag) => !ours.test(tag))).toEqual([])
    }),
  )
})
