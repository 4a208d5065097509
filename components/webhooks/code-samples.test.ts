import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import { requestHeaders, signatureOf } from "@/lib/webhooks/delivery/worker"
import { textOfSecret } from "@/lib/webhooks/secret-rules"
import { codeSamples } from "@/components/webhooks/verify-card"

const [current, former, other] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
const body = '{"type":"email.delivered","data":{"subject":"Grüße\\n"}}'
const now = new Date()
const signed = (at: Date) => requestHeaders("evt_1", at, signatureOf("evt_1", at, body, [current, former]))

type Case = { body: string; headers: Record<string, string>; secret: string }

const good: Case = { body, headers: signed(now), secret: textOfSecret(current) }

/** Each with what the sample must say of it. */
const cases: [Case, boolean][] = [
  [good, true],
  [{ ...good, secret: textOfSecret(former) }, true],
  [{ ...good, secret: textOfSecret(other) }, false],
  [{ ...good, body: `${body} ` }, false],
  [{ ...good, headers: { ...good.headers, "webhook-id": "evt_2" } }, false],
  [{ ...good, headers: signed(new Date(now.getTime() - 600_000)) }, false],
  [{ ...good, headers: { ...good.headers, "webhook-timestamp": "soon" } }, false],
  [{ ...good, headers: { ...good.headers, "webhook-signature": "v1," } }, false],
  [{ ...good, headers: {} }, false],
]
const wanted = cases.map(([, verdict]) => verdict)
const input = JSON.stringify(cases.map(([one]) => one))
const has = (command: string, argument: string) => spawnSync(command, [argument]).status === 0
const folder = () => mkdtempSync(join(tmpdir(), "mailroom-sample-"))

describe("the code that is offered takes what we sign and nothing else", () => {
  test("in TypeScript", async () => {
    const file = join(folder(), "verify.mjs")
    const { outputText } = ts.transpileModule(codeSamples.typescript, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    })
    writeFileSync(file, outputText)
    const { verify } = (await import(file)) as { verify: (...args: unknown[]) => boolean }
    expect(cases.map(([one]) => verify(one.body, one.headers, one.secret))).toEqual(wanted)
  })

  test.runIf(has("python3", "--version"))("in Python", () => {
    const run = `import json, sys\nprint(json.dumps([verify(c["body"].encode(), c["headers"], c["secret"]) for c in json.load(sys.stdin)]))`
    const answer = execFileSync("python3", ["-c", `${codeSamples.python}\n${run}`], { input })
    expect(JSON.parse(answer.toString())).toEqual(wanted)
  })

  test.runIf(has("php", "--version"))("in PHP", () => {
    const run = `echo json_encode(array_map(fn($c) => verify($c["body"], $c["headers"], $c["secret"]), json_decode(file_get_contents("php://stdin"), true)));`
    const file = join(folder(), "verify.php")
    writeFileSync(file, codeSamples.php + run)
    expect(JSON.parse(execFileSync("php", [file], { input }).toString())).toEqual(wanted)
  })

  test.runIf(has("go", "version"))(
    "in Go",
    () => {
      const file = join(folder(), "verify.go")
      const imports = codeSamples.go
        .replace("package webhook", "package main")
        .replace("import (", 'import (\n"encoding/json"\n"os"')
      const run = `func main() {
  var cases []struct { Body string; Headers map[string]string; Secret string }
  json.NewDecoder(os.Stdin).Decode(&cases)
  verdicts := []bool{}
  for _, one := range cases {
    header := http.Header{}
    for name, value := range one.Headers { header.Set(name, value) }
    verdicts = append(verdicts, Verify([]byte(one.Body), header, one.Secret))
  }
  json.NewEncoder(os.Stdout).Encode(verdicts)
}`
      writeFileSync(file, imports + run)
      expect(JSON.parse(execFileSync("go", ["run", file], { input }).toString())).toEqual(wanted)
    },
    120_000,
  )
})
