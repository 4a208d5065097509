import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { judgeLogo } from "@/lib/domains/bimi/logo"

/** With everything that logos of real companies have. */
const logo = `<?xml version="1.0" encoding="UTF-8"?>
<!-- Made by hand -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.2" baseProfile="tiny-ps" viewBox="0 0 512 512">
  <title>Harbor &amp; Pine Gemi\u015f</title>
  <desc>A ship</desc>
  <defs>
    <linearGradient id="sky" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2="512"><stop offset="0" stop-color="#036"/><stop offset="1" stop-color="#9cf"/></linearGradient>
    <g id="wave"><path d="M0 400q64-40 128 0t128 0" fill="none" stroke="#fff" stroke-width="8"/></g>
  </defs>
  <rect width="512" height="512" fill="url(#sky)"/>
  <g transform="translate(8 8)" fill="#fff" fill-rule="evenodd">
    <circle cx="256" cy="200" r="90"/>
    <polygon points="100,300 400,300 250,420"/>
    <text x="40" y="480" font-size="40" font-family="serif">H<tspan>&amp;</tspan>P</text>
  </g>
  <use xlink:href="#wave" x="0" y="20"/>
</svg>
`
const judge = (svg: string) => judgeLogo(new TextEncoder().encode(svg))
const inside = (text: string) => logo.replace("</svg>", `${text}</svg>`)
const onShape = (attribute: string) => logo.replace("<circle ", `<circle ${attribute} `)
const onRoot = (attribute: string) => logo.replace("<svg ", `<svg ${attribute} `)

test("a logo of SVG Tiny PS is accepted unchanged, without a warning", () => {
  expect(judge(logo)).toEqual({ ok: true, svg: logo, warnings: [] })
})

test("a logo of 32 KiB that uses a large group a thousand times is judged within 200 ms of CPU", measured, () => {
  const used = `<g id="a">${"<g/>".repeat(3_900)}</g>${'<use href="#a"/>'.repeat(930)}`
  const before = process.cpuUsage()
  expect(judge(inside(used))).toMatchObject({ ok: true })
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000, "milliseconds of CPU").toBeLessThan(200)
})

test("a logo that is transparent or has a long title is accepted with a warning", () => {
  const bare = logo.replace(/<rect.*\/>/, "").replace("Harbor", "Harbor ".repeat(20))
  expect(judge(bare)).toMatchObject({
    ok: true,
    warnings: [expect.stringMatching(/title/), expect.stringMatching(/background/)],
  })
})

const attacks: [string, string][] = [
  ["a script", inside("<script>alert(1)</script>")],
  ["a script with a namespace prefix", inside('<svg:script xmlns:svg="http://www.w3.org/2000/svg">1</svg:script>')],
  ["an upper-case script", inside("<SCRIPT>1</SCRIPT>")],
  ["an event handler", onShape('onload="alert(1)"')],
  ["an event handler at the root", onRoot('onload="alert(1)"')],
  ["an event handler after a line break", onShape('onclick\n="alert(1)"')],
  ["an external use", inside('<use xlink:href="https://evil.example/x.svg#a"/>')],
  ["an external use without xlink", inside('<use href="//evil.example/x.svg#a"/>')],
  ["a data URL", inside('<use href="data:image/svg+xml,x#a"/>')],
  ["a link", inside('<a xlink:href="javascript:alert(1)"><circle r="1"/></a>')],
  ["a raster image", inside('<image xlink:href="data:image/png;base64,AAAA" width="1" height="1"/>')],
  ["foreign content", inside("<foreignObject><body/></foreignObject>")],
  ["a style element", inside("<style>@import 'https://evil.example/x.css';</style>")],
  ["a style attribute", onShape('style="fill:url(https://evil.example/x)"')],
  ["an external paint", onShape('fill="url(https://evil.example/x#a)"')],
  ["an escaped external paint", onShape('fill="\\75rl(//evil.example/x)"')],
  ["an external paint with white space", onShape('fill="url( //evil.example/x )"')],
  ["an animation", inside('<animate attributeName="fill" to="red"/>')],
  ["a set animation", inside('<set attributeName="href" to="javascript:1"/>')],
  ["an animated transform", inside('<animateTransform type="rotate"/>')],
  ["a handler element", inside('<handler type="application/ecmascript">1</handler>')],
  ["a filter", inside("<filter/>")],
  ["a mask", inside("<mask/>")],
  ["an embedded frame", inside('<iframe src="https://evil.example"/>')],
  ["an SVG inside", inside('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ["metadata", inside("<metadata>x</metadata>")],
  ["a video", inside("<video/>")],
  ["an editor's namespace", onRoot('xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"')],
  ["another default namespace", logo.replace("2000/svg", "1999/xhtml")],
  ["a base", onRoot('xml:base="https://evil.example/"')],
  ["a DOCTYPE", logo.replace("<svg", "<!DOCTYPE svg><svg")],
  [
    "an external entity",
    logo.replace("<svg", '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg').replace("A ship", "&x;"),
  ],
  ["an entity bomb", logo.replace("<svg", '<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><svg')],
  ["an entity without a declaration", logo.replace("A ship", "&x;")],
  ["a numeric entity", onShape('fill="&#117;rl(x)"')],
  ["a stylesheet instruction", logo.replace("<svg", '<?xml-stylesheet href="https://evil.example/x.css"?><svg')],
  ["CDATA", inside("<text><![CDATA[<script>]]></text>")],
  ["a comment that parsers disagree about", inside("<!-- --!><script>1</script><!-- -->")],
  ["a repeated attribute", logo.replace('r="90"', 'r="90" r="91"')],
  ["an unclosed element", logo.replace("</g>\n  <use", "<use")],
  ["text between shapes", inside("hello")],
  ["a second root", `${logo}<svg xmlns="http://www.w3.org/2000/svg"/>`],
  ["a use of a use", inside('<g id="a"><use href="#wave"/></g><use href="#a"/>')],
  ["a use of nothing", inside('<use href="#nowhere"/>')],
  ["a NUL", inside("\0")],
  ["a declared UTF-7", logo.replace("UTF-8", "UTF-7")],
  ["no title", logo.replace(/<title>.*<\/title>/, "")],
  ["an empty title", logo.replace(/<title>.*<\/title>/, "<title> </title>")],
  ["a title that is not first", logo.replace(/(<title>.*<\/title>)\s*(<desc>.*<\/desc>)/, "$2$1")],
  ["version 1.1", logo.replace('version="1.2"', 'version="1.1"')],
  ["no base profile", logo.replace('baseProfile="tiny-ps"', "")],
  ["x at the root", onRoot('x="0"')],
  ["no viewBox", logo.replace(/viewBox="[^"]*"/, "")],
  ["a viewBox that is not square", logo.replace("0 0 512 512", "0 0 512 256")],
  ["sides that differ", onRoot('width="100" height="200"')],
  ["a relative size", onRoot('width="100%" height="100%"')],
  ["33 KiB", inside(`<desc>${"x".repeat(33 * 1024)}</desc>`)],
  ["deep nesting", inside("<g>".repeat(500) + "</g>".repeat(500))],
  ["HTML", "<!doctype html><html/>"],
  ["nothing", ""],
]

describe("a logo is refused", () => {
  test.each(attacks)("with %s", (_, svg) => {
    expect(judge(svg)).toEqual({ ok: false, reason: expect.stringMatching(/^.{10,}\.$/) })
  })

  test("in UTF-16, and as bytes that are no UTF-8", () => {
    expect(judgeLogo(new Uint8Array(Buffer.from(`\ufeff${logo}`, "utf16le"))).ok).toBe(false)
    expect(judgeLogo(new Uint8Array([...new TextEncoder().encode(logo), 0xff])).ok).toBe(false)
  })

  test("when any element or attribute that is not listed is put anywhere into it", () => {
    const openings = [...logo.matchAll(/<[a-zA-Z]+ /g)].map(({ index }) => index)
    const name = fc.stringMatching(/^[a-z][a-zA-Z]{2,12}$/)
    const hostile = fc.oneof(
      fc.constantFrom(
        "onload",
        "onclick",
        "onbegin",
        "onfocusin",
        "style",
        "src",
        "xlink:actuate",
        "ev:event",
        "xml:base",
        "formaction",
      ),
      name.map((text) => `on${text}`),
    )
    fc.assert(
      fc.property(fc.constantFrom(...openings), hostile, fc.string(), (at, attribute, value) => {
        const end = logo.indexOf(" ", at)
        const quoted = value.replace(/[<>&"]/g, "")
        expect(judge(`${logo.slice(0, end)} ${attribute}="${quoted}"${logo.slice(end)}`).ok).toBe(false)
      }),
      { numRuns: 500 },
    )
    const closings = [...logo.matchAll(/<\/(?:g|svg|defs)>/g)].map(({ index }) => index)
    const bad = fc.constantFrom(
      "script",
      "image",
      "a",
      "animate",
      "set",
      "foreignObject",
      "style",
      "iframe",
      "handler",
      "discard",
      "audio",
      "listener",
      "switch",
    )
    fc.assert(
      fc.property(fc.constantFrom(...closings), bad, fc.boolean(), fc.boolean(), (at, element, empty, upper) => {
        const tag = upper ? element.toUpperCase() : element
        const text = empty ? `<${tag}/>` : `<${tag}>x</${tag}>`
        expect(judge(logo.slice(0, at) + text + logo.slice(at)).ok).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  test("or has nothing but what is listed, however it is mutated", () => {
    const parts = [
      "<",
      ">",
      "/",
      '"',
      "'",
      "=",
      "<script>",
      "</title>",
      "<!--",
      "-->",
      "&",
      "url(",
      "on",
      " href=",
      "]]>",
      "<?",
      "\u2028",
      "xlink:",
    ]
    const listed =
      /^(?:svg|title|desc|defs|g|use|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|linearGradient|radialGradient|stop|solidColor)$/
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(logo.length), fc.nat(12), fc.constantFrom(...parts)), { minLength: 1, maxLength: 3 }),
        (edits) => {
          const mutated = edits.reduce((text, [at, cut, part]) => text.slice(0, at) + part + text.slice(at + cut), logo)
          const verdict = judge(mutated)
          if (!verdict.ok) return
          const shown = verdict.svg.replace(/<!--[^]*?-->/g, "")
          for (const [, name = ""] of shown.matchAll(/<([^\s/>!?]+)/g)) expect(name).toMatch(listed)
          expect(shown).not.toContain("<!")
          for (const [tag] of shown.matchAll(/<[^>]*>/g)) expect(tag).not.toMatch(/\son\w+\s*=|javascript|url\([^#]/i)
        },
      ),
      { numRuns: 3_000 },
    )
  })
})
