import { expect, test } from "vitest"
import { memberOf } from "@/lib/server/build/reference-bundle"

function entry(name: string, content: string): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124)
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512)
  body.write(content)
  return Buffer.concat([header, body])
}

test("one file is read out of a tar archive, whatever is before it", () => {
  const archive = Buffer.concat([
    entry("a", "x".repeat(513)),
    entry("empty", ""),
    entry("b", "wanted"),
    Buffer.alloc(1024),
  ])
  expect(memberOf(archive, "b").toString()).toBe("wanted")
  expect(() => memberOf(archive, "c")).toThrow("the package has no c")
})
