import { expect, it } from "vitest"
import { inlineParts } from "@/components/emails/inline-parts"

it("inline pictures come back by their content id, and nothing that could hold script does", async () => {
  const part = (id: string, type: string) =>
    `--b\r\nContent-Type: ${type}\r\nContent-ID: <${id}>\r\nContent-Transfer-Encoding: base64\r\n\r\naGk=\r\n`
  const raw =
    "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<img src=cid:logo>\r\n" +
    part("logo", "image/png") +
    part("evil", "image/svg+xml") +
    "--b--\r\n"
  expect([...(await inlineParts(raw))]).toEqual([["logo", "data:image/png;base64,aGk="]])
})
