import { expect, test } from "vitest"
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
