import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { namesOf, parseTemplate, renderTemplate, type TemplateFormat } from "@/lib/emails/templates/rules"

function parsed(source: string, format: TemplateFormat) {
  const found = parseTemplate(source, format)
  if ("fault" in found) throw new Error(`${found.fault.at}: ${found.fault.sentence}`)
  return found.parts
}

function render(source: string, format: TemplateFormat, values: Record<string, string> = {}, charsMax = 100_000) {
  return renderTemplate(parsed(source, format), format, (name) => values[name] ?? null, charsMax)
}

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        "{{",
        "}}",
        "{{a}}",
        "|",
        "<",
        ">",
        '"',
        "'",
        "&",
        "\r\n",
        "\0",
        "<script>",
        "Bcc: x@y.example",
        "a",
      ),
    )
    .map((parts) => parts.join("")),
)

const unescaped = (html: string) =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

describe("a value stays text", () => {
  test("in HTML: it adds no markup and no quote, and reads back as it was", () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const rendered = render('<a title="{{a}}">{{a}}</a>', "html", { a: value })
        const text = "text" in rendered ? rendered.text : ""
        const inner = text.slice('<a title="'.length, -"</a>".length).split('">')
        expect(inner).toHaveLength(2)
        expect(inner[0]).not.toMatch(/[<>"']/)
        expect(unescaped(inner[1] ?? "")).toBe(value)
      }),
    )
  })

  test("in a subject: no line break or control character is left", () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const rendered = render("Hello {{a}}!", "subject", { a: value })
        expect("text" in rendered && rendered.text).toMatch(/^Hello [^\p{Cc}\p{Cs}\u2028\u2029]*!$/u)
      }),
    )
  })

  test("in plain text: template syntax in it is not read again", () => {
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        expect(render("{{a}}-{{b}}", "text", { a, b })).toEqual({ text: `${a}-${b}` })
      }),
    )
  })
})

test("text without two opening braces is rendered as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (source) => {
      fc.pre(!source.includes("{{"))
      expect(render(source, "html")).toEqual({ text: source })
    }),
  )
})

test("the fallback of the source stands in for a value, and names without either are told, each once", () => {
  expect(render("Hi {{ contact.firstName | there }}", "text")).toEqual({ text: "Hi there" })
  expect(render("Hi {{ contact.firstName | there }}", "text", { "contact.firstName": "Ada" })).toEqual({
    text: "Hi Ada",
  })
  expect(render("{{a|}}.", "text")).toEqual({ text: "." })
  expect(render("{{a}} {{b}} {{a}}", "text", { b: "x" })).toEqual({ missing: ["a"] })
  expect(namesOf(parsed("{{a}} {{b}} {{a}}", "text"))).toEqual(["a", "b"])
})

test.each([
  ["{{a", 0],
  ["x {{}}", 2],
  ["{{a.b}}", 0],
  ["{{#each a}}", 0],
  ["{{{a}}}", 0],
  ["{{a | {b} }}", 0],
  ["{{contact.first-name}}", 0],
])("%s is refused with its position", (source, at) => {
  const found = parseTemplate(source, "text")
  expect("fault" in found && found.fault.at).toBe(at)
})

test.each(["<a href={{a}}>", "<a {{a}}>", "<{{a}}>", "</{{a}}>", '<a title="x" {{a}}>', "<a\ntitle = {{a}}>"])(
  "%s is refused in HTML: a value could add attributes",
  (source) => {
    const found = parseTemplate(source, "html")
    expect("fault" in found && found.fault.sentence).toContain("quoted attribute")
  },
)

test("HTML made by React Email and MJML is taken as it is", () => {
  const source = `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x.dtd"><!--$--><style>@media only screen{.a{color:red}}</style>
<!--[if mso]><table width="{{width}}"><tr><td><![endif]--><!-- it's -->
<div style='color:{{color}};margin:0'><a href="https://x.example/?t={{token}}">1 < 2 {{a}}</a></div><!--[if mso]></td></table><![endif]-->`
  const values = { width: "600", color: "#000", token: "a&b", a: "<b>" }
  const expected = source
    .replace("{{width}}", "600")
    .replace("{{color}}", "#000")
    .replace("{{token}}", "a&amp;b")
    .replace("{{a}}", "&lt;b&gt;")
  expect(render(source, "html", values)).toEqual({ text: expected })
})

test("what is rendered is bounded while it is built, and so are placeholders", () => {
  const long = "{{a}}".repeat(1_000)
  expect(render(long, "html", { a: "&".repeat(10_000) }, 50_000)).toEqual({ tooLong: true })
  expect("fault" in parseTemplate(`${long}{{a}}`, "text")).toBe(true)
  expect("fault" in parseTemplate(`{{a | ${"x".repeat(2_000)}}}`, "text")).toBe(true)
})
