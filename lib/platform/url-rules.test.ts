import { describe, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { parseUrl } from "@/lib/platform/url-rules"
import { judgeUrl, outboundGuard } from "@/lib/platform/outbound/target"

test("a URL with letters beyond ASCII is a URL, however often a process has parsed one", () => {
  const href = "https://xn--bcher-kva.example/%C3%BC"
  const refused = Array.from({ length: 20_000 }, () => parseUrl("https://bücher.example/ü")?.href).filter(
    (one) => one !== href,
  )
  expect(refused).toEqual([])
  expect(parseUrl("ü", "https://example.com/")?.href).toBe("https://example.com/%C3%BC")
})

test("the URL of a webhook with such letters is taken by a process that has judged thousands", () => {
  const guard = outboundGuard()
  const verdicts = Array.from({ length: 20_000 }, () => judgeUrl("https://bücher.example/x", guard).ok)
  expect(verdicts.filter((ok) => !ok)).toEqual([])
})

test.each(["", "/path", "https://", "http://[::1", "no url"])("%j is none", (text) => expect(parseUrl(text)).toBeNull())

describe("a URL of 500 kB", () => {
  const accents = "\u0300\u0323".repeat(64_000)

  test.each([
    ["a host of accents", `https://a${accents}.example/`],
    ["such a host behind a user name", `https://ada:lovelace@a${accents}.example/`],
    ["such a host behind what the parser leaves out", `\u0001 ht\ntps:\t\\a${accents}.example/`],
    ["such a host that is percent-encoded", `https://a${"%CC%80%CC%A3".repeat(40_000)}.example/`],
    ["a host of Chinese characters", `https://${"\u4e2d\u6587".repeat(64_000)}.example/`],
  ])("is refused in moments with %s", measured, (_, text) => {
    const before = process.cpuUsage()
    expect(parseUrl(text)).toBeNull()
    expect(parseUrl(text, "https://example.com/")).toBeNull()
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000, "milliseconds of CPU").toBeLessThan(100)
  })

  test("is one with a long path, query, fragment or user name", () => {
    const long = "a".repeat(500_000)
    for (const url of [`https://a.example/${long}`, `https://a.example/?q=${long}`, `https://a.example/#${long}`])
      expect(parseUrl(url)?.href).toBe(url)
    expect(parseUrl(`https://${long}@a.example/`)?.hostname).toBe("a.example")
    expect(parseUrl(`mailto:${long}`)?.href).toBe(`mailto:${long}`)
    expect(parseUrl(`/${long}`, "https://a.example/")?.pathname).toBe(`/${long}`)
  })
})
