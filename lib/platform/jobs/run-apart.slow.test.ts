import { getPriority } from "node:os"
import { describe, expect, test } from "vitest"
import { refusedCode, runApart } from "@/lib/platform/jobs/run-apart"

const limits = { cpuSeconds: 1, wallMs: 60_000, memoryMb: 64, outputBytesMax: 1_000 }
const run = (program: string, changes: Partial<typeof limits> = {}) =>
  runApart(["-e", program], Buffer.from("input"), { ...limits, ...changes })

describe("a program that runs apart", () => {
  test("gets its input, gives its output, and sees nothing of our configuration", async () => {
    const program = `process.stdin.on("data", (text) => console.log(text + " " + Object.keys(process.env)
      .filter((name) => !/^(NODE_ENV|PWD|OLDPWD|SHLVL|_)$/.test(name))))`
    expect(await run(program)).toEqual({ kind: "done", output: Buffer.from("input \n") })
  })

  test("leaves a busy machine to everybody else", async () => {
    const program = `setTimeout(() => console.log(require("node:os").getPriority() > ${getPriority()}), 500)`
    expect(await run(program)).toEqual({ kind: "done", output: Buffer.from("true\n") })
  })

  test("says itself why it refuses", async () => {
    const program = `process.stderr.write("It is torn."); process.exitCode = ${refusedCode}`
    expect(await run(program)).toEqual({ kind: "refused", reason: "It is torn." })
  })

  test("is ended by the CPU time that it takes, its memory and its output", async () => {
    const exceeded = { kind: "exceeded" }
    expect(await run("for (;;);")).toMatchObject(exceeded)
    expect(await run("const all = []; for (;;) all.push([all.length])", { cpuSeconds: 20 })).toMatchObject(exceeded)
    expect(await run(`for (;;) process.stdout.write("x".repeat(1_000))`)).toMatchObject(exceeded)
    expect(await run("throw new Error()")).toMatchObject(exceeded)
  })

  test("keeps what it had written before it was ended", async () => {
    const program = `process.stdout.write("done\\n", () => { for (;;); })`
    expect(await run(program)).toEqual({ kind: "exceeded", output: Buffer.from("done\n") })
  })

  test("that the machine left no time is late, which says nothing of its input", async () => {
    expect(await run("setTimeout(() => {}, 60_000)", { wallMs: 500 })).toEqual({
      kind: "late",
      output: Buffer.alloc(0),
    })
  })
})
