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

it("names an address that this machine does not have, with its variable", async () => {
  const [problem] = await takenPorts([{ port: 0, variable: "PORT", host: "192.0.2.1", hostVariable: "HOST" }])
  expect(problem).toBe(
    "HOST=192.0.2.1 is no address of this machine: behind NAT use its private one, or leave it out for all.",
  )
})
