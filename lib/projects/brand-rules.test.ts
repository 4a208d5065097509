import { expect, test } from "vitest"
import { brandLogoBytesMax, labelOn, readLogo } from "@/lib/projects/brand-rules"

const png = (size: number) =>
  Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(size - 8)])
const url = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString("base64")}`

test("a logo is what its first octets say, small, and never markup", () => {
  expect(readLogo(url("image/png", png(100)))?.type).toBe("image/png")
  expect(readLogo(url("image/webp", png(brandLogoBytesMax)))?.type).toBe("image/png")
  expect(readLogo(url("image/jpeg", Buffer.from([0xff, 0xd8, 0xff, 0xe0])))?.type).toBe("image/jpeg")
  expect(readLogo(url("image/webp", Buffer.from("RIFF0000WEBPVP8 ")))?.type).toBe("image/webp")
  for (const bad of [
    url("image/svg+xml", Buffer.from("<svg/>")),
    url("image/png", Buffer.from("<svg onload=alert(1)>")),
    url("image/png", png(brandLogoBytesMax + 1)),
    "https://acme.example/logo.png",
    "javascript:alert(1)",
    "data:image/png;base64,",
    "",
  ]) {
    expect(readLogo(bad)).toBeNull()
  }
})

test("the label on a button contrasts with its colour", () => {
  expect(labelOn("#000000")).toBe("#ffffff")
  expect(labelOn("#1d4ed8")).toBe("#ffffff")
  expect(labelOn("#ffffff")).toBe("#000000")
  expect(labelOn("#facc15")).toBe("#000000")
})
