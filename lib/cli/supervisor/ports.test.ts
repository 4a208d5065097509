import { createServer, type AddressInfo } from "node:net"
import { expect, it } from "vitest"
import { takenPorts } from "@/lib/cli/supervisor/ports"

it("a port that another program holds is named with the variable that moves ours", async () => {
  const other = createServer()
  const port = await new Promise<number>((resolve) =>
    other.listen(0, () => resolve((other.address() as AddressInfo).port)),
  )
  expect(await takenPorts([{ port, variable: "PORT" }])).toEqual([
    `Port ${port} is taken by another program. Stop that, or choose another: PORT=${port + 1} npm start`,
  ])
  await new Promise((resolve) => other.close(resolve))
  expect(await takenPorts([{ port, variable: "PORT" }])).toEqual([])
})
