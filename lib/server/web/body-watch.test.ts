import { expect, test } from "vitest"
import { endpoints } from "@/lib/api/registry"
import { methodOf, pathOf } from "@/lib/platform/http/endpoint"
import { takesFile } from "@/lib/server/web/web-server"

test("as long as their line needs have the operations that read a file as it comes, and no others", () => {
  const asked = endpoints.map((endpoint) => ({
    route: endpoint.route,
    patient: takesFile({ method: methodOf(endpoint), url: `${pathOf(endpoint).replaceAll(/\{[^}]+\}/g, "x_1")}?a=1` }),
    streams: endpoint.bodyStream !== undefined,
  }))
  expect(asked.filter(({ patient, streams }) => patient !== streams)).toEqual([])
  expect(asked.filter(({ streams }) => streams).length).toBeGreaterThan(0)
})
