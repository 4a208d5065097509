import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { clientTypes, clientTypesText } from "@/lib/cli/client-package"

test("the types of the client are those of today's document: if not, run `npm run build:client`", async () => {
  // Not compared by the matcher, whose difference of 20,000 lines says less than the title.
  expect(readFileSync(clientTypes, "utf8") === (await clientTypesText())).toBe(true)
})
