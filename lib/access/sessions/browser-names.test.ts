import { expect, test } from "vitest"
import { browserOf } from "@/lib/access/sessions/data"

const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)"
const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)"
const webKit = "AppleWebKit/537.36 (KHTML, like Gecko)"

test.each([
  [`${windows} ${webKit} Chrome/142.0.0.0 Safari/537.36`, "Chrome", "Windows"],
  [`${windows} ${webKit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, "Edge", "Windows"],
  [`${windows} ${webKit} Chrome/142.0.0.0 Safari/537.36 OPR/125.0.0.0`, "Opera", "Windows"],
  [`${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`, "Safari", "macOS"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox", "Linux"],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/142.0.0.0 Safari/537.36`, "Chrome", "ChromeOS"],
  [`Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/142.0.0.0 Mobile Safari/537.36`, "Chrome", "Android"],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webKit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet",
    "Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Safari",
    "iOS",
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1",
    "Chrome",
    "iPadOS",
  ],
])("%s is %s on %s", (userAgent, browser, system) => {
  expect(browserOf(userAgent)).toEqual({ browser, system })
})

test.each(["curl/8.5.0", "", "Linux\u0000<script>", null])("of %j no more is said than is known", (userAgent) => {
  const { browser, system } = browserOf(userAgent)
  expect(browser).toBeUndefined()
  expect([undefined, "Linux"]).toContain(system)
})
