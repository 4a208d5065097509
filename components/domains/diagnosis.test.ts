import { describe, expect, it } from "vitest"
import { serverAnswer, type DiagnosedServer, groupedServers, serverWords } from "@/components/domains/checks-results"

const server = (over: Partial<DiagnosedServer>): DiagnosedServer => ({
  server: "192.0.2.1:53",
  outcome: "valid",
  found: ["x"],
  ...over,
})

describe("the servers of a record", () => {
  it("that say the same are one line under all their names", () => {
    const groups = groupedServers([
      server({ name: "a.ns.example", found: ["x", "y"] }),
      server({ server: "192.0.2.2:53", found: ["y", "x"] }),
      server({ name: "c.ns.example", outcome: "missing", found: [] }),
    ])
    expect(groups.map(({ names }) => names)).toEqual([["a.ns.example", "192.0.2.2:53"], ["c.ns.example"]])
  })

  it("speak in words, and silence is no fault of the record", () => {
    expect(serverAnswer(server({ found: ["v=spf1 -all", "other"] }))).toBe("v=spf1 -all | other")
    expect(serverAnswer(server({ outcome: "missing", found: [] }))).toBe("No such record.")
    expect(serverAnswer(server({ outcome: "unknown", found: [], reason: "timeout" }))).toBe(
      "It did not answer in time.",
    )
    expect(serverWords(server({ outcome: "unknown" }), false).tone).toBe("wait")
    expect(serverWords(server({ outcome: "missing" }), true).tone).toBe("wait")
    expect(serverWords(server({ outcome: "missing" }), false).tone).toBe("warn")
  })
})
