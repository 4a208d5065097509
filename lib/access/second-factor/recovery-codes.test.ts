import { expect, test } from "vitest"
import { newRecoveryCodes, recoveryCodeHash } from "@/lib/access/second-factor/codes"
import { systemRandom } from "@/lib/platform/io"

test("recovery codes are ten different ones of 60 bits", () => {
  const codes = newRecoveryCodes(systemRandom)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/)
})

test.each(["k3v9-08mx-tz2d", "K3V9 08MX TZ2D", " k3v9o8mxtz2d", "k3v9-O8mx-tz2d"])(
  "%j is the same code, and only its owner's",
  (spelled) => {
    expect(recoveryCodeHash("ada", spelled)).toEqual(recoveryCodeHash("ada", "k3v9-08mx-tz2d"))
    expect(recoveryCodeHash("eve", spelled)).not.toEqual(recoveryCodeHash("ada", "k3v9-08mx-tz2d"))
  },
)
