import { createServer, type AddressInfo } from "node:net"
import { expect, it } from "vitest"
import { takenPorts } from "@/lib/server/processes/prepare"

it("names a port in use by another program and the variable that changes ours", async () => {
  const other = createServer()
  const port = await new Promise<number>((resolve) =>
    other.listen(0, () => resolve((other.address() as AddressInfo).port)),
  )
  expect(await takenPorts([{ port, variable: "PORT" }])).toEqual([
    `Port ${port} is in use by another program. Stop that, or choose another: PORT=${port + 1} npm start`,
  ])
  await new Promise((resolve) => other.close(resolve))
  expect(await takenPorts([{ port, variable: "PORT" }])).toEqual([])
})
