import { expect, test } from "vitest"
import { isMachineAgent, storedAgent } from "@/lib/tracking/hits/rules"
import { deviceOf } from "@/lib/tracking/hits/device-rules"

test.each([
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
    { mailClient: "Apple Mail", os: "iOS", deviceType: "mobile" },
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)",
    { mailClient: "Apple Mail", os: "macOS", deviceType: "desktop" },
  ],
  [
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0",
    { mailClient: "Thunderbird", os: "Linux", deviceType: "desktop" },
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0",
    { mailClient: "Edge", os: "Windows", deviceType: "desktop" },
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1",
    { mailClient: "Safari", os: "iOS", deviceType: "tablet" },
  ],
  [
    "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Microsoft Outlook 16.0.17928; MSOffice 16)",
    { mailClient: "Outlook", os: "Windows", deviceType: "desktop" },
  ],
  [
    "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
    { mailClient: "Gmail" },
  ],
])("%s is a person's program, and what it tells is known", (userAgent, device) => {
  expect({ isMachineAgent: isMachineAgent(userAgent), device: deviceOf(userAgent) }).toEqual({
    isMachineAgent: false,
    device,
  })
})

test("a user agent is stored printable and short", () => {
  expect(storedAgent(`a\r\nb\u0000${"x".repeat(9_000)}`)).toHaveLength(300)
  expect(storedAgent(" ")).toBeNull()
})
