import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { size } from "@/e2e/support/chaos/size"
import { findGo } from "@/lib/cli/checks/programs"

const folder = mkdtempSync(join(tmpdir(), "mailroom-chart-"))
const renderer = join(folder, "render-chart")
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Named = { name: string }
type Container = {
  args: string[]
  env: (Named & { value: string })[]
  ports?: (Named & { containerPort: number })[]
  volumeMounts: (Named & { mountPath: string })[]
}
type Deployment = {
  kind: "Deployment"
  metadata: Named
  spec: {
    replicas: number
    selector: { matchLabels: Record<string, string> }
    template: { metadata: { labels: Record<string, string> }; spec: { containers: Container[]; volumes: Named[] } }
  }
}
type Service = {
  kind: "Service"
  metadata: Named
  spec: { selector: Record<string, string>; ports: (Named & { port: number; targetPort: string })[] }
}

/** Runs one of Debian's programs. */
function run(program: string, args: string[], input: string, env: Record<string, string> = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    input,
    encoding: "utf8",
    env: { HOME: folder, PATH: "/usr/sbin:/usr/bin:/sbin:/bin", NODE_ENV: "test", ...env },
  })
  if (status !== 0) throw new Error(`${program} failed: ${stderr ?? ""}${error?.message ?? ""}`)
  return stdout
}

/** The objects of the chart with these values, and what Kubernetes would refuse of them. */
function rendered(values: Record<string, unknown> = {}) {
  const yaml = run(renderer, ["lib/deploy/chart", "post"], JSON.stringify(values))
  const read = run("python3", ["e2e/support/deploy/read-objects.py"], yaml)
  const { objects, faults } = JSON.parse(read) as { objects: (Deployment | Service)[]; faults: string[] }
  const deployments = objects.filter((one) => one.kind === "Deployment")
  return { deployments, services: objects.filter((one) => one.kind === "Service"), objects, faults }
}

const labelled = (labels: Record<string, string>, wanted: Record<string, string>) =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value)

// Go and the models take minutes to install, so they are asked for by the long run alone.
describe.skipIf(size(true, false))("the Helm chart", () => {
  beforeAll(() => {
    findGo()
    const go = { GO111MODULE: "off", GOPATH: "/usr/share/gocode", GOCACHE: join(folder, "cache") }
    run("go", ["build", "-o", renderer, "e2e/support/deploy/render-chart.go"], "", go)
  })

  test("renders objects that Kubernetes takes, with two pods of each role", () => {
    const { deployments, services, objects, faults } = rendered()
    expect(faults).toEqual([])
    expect(objects).toHaveLength(deployments.length + services.length)
    expect(deployments.map(({ metadata, spec }) => [metadata.name, spec.replicas])).toEqual([
      ["post-mail", 2],
      ["post-web", 2],
      ["post-worker", 2],
    ])
  })

  test.each([{}, { tlsSecretName: "mail-cert" }])(
    "leads every port of a service to one that its pods have, and every mount to a volume, with %j",
    (values) => {
      const { deployments, services, faults } = rendered(values)
      expect(faults).toEqual([])
      for (const { spec } of services) {
        const pods = deployments.filter((one) => labelled(one.spec.template.metadata.labels, spec.selector))
        expect(pods).toHaveLength(1)
        const names = pods[0]?.spec.template.spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name))
        expect(names).toEqual(spec.ports.map(({ targetPort }) => targetPort))
      }
      for (const { spec } of deployments) {
        const { metadata, spec: pod } = spec.template
        expect(labelled(metadata.labels, spec.selector.matchLabels)).toBe(true)
        const [container] = pod.containers
        expect(container?.volumeMounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name))
      }
    },
  )

  test("gives a certificate to the role that takes mail, and tells the others where programs send", () => {
    const { deployments } = rendered({ tlsSecretName: "mail-cert" })
    const named = deployments.map(({ metadata, spec }) => [
      metadata.name,
      spec.template.spec.containers.flatMap(({ env }) =>
        env.flatMap(({ name, value }) => (/^(TLS|SUBMISSION)_/.test(name) ? [`${name}=${value}`] : [])),
      ),
    ])
    const files = ["TLS_CERT=/tls/tls.crt", "TLS_KEY=/tls/tls.key"]
    const told = [...files, "SUBMISSION_PORT=587", "SUBMISSION_TLS_PORT=465"]
    expect(Object.fromEntries(named)).toEqual({ "post-mail": files, "post-web": told, "post-worker": told })
    const mounts = deployments.filter(({ spec }) => spec.template.spec.volumes.some(({ name }) => name === "tls"))
    expect(mounts.map(({ metadata }) => metadata.name)).toEqual(["post-mail"])
  })

  test("takes numbers as values of variables, and leaves out a role that is null with its service", () => {
    const { deployments, services, faults } = rendered({ env: { LEAVE_SECONDS: 9 }, roles: { mail: null } })
    expect(faults).toEqual([])
    expect(deployments.map(({ metadata }) => metadata.name)).toEqual(["post-web", "post-worker"])
    expect(services.map(({ metadata }) => metadata.name)).toEqual(["post-web"])
    for (const { spec } of deployments)
      expect(spec.template.spec.containers[0]?.env).toContainEqual({ name: "LEAVE_SECONDS", value: "9" })
  })

  test("is refused where a field is unknown, of another type or missing: the check that the others rest on", () => {
    const faulty = [
      { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" }, spec: { replica: 2, template: {} } },
      { apiVersion: "v1", kind: "Service", metadata: { name: "b" }, spec: { ports: [{ port: "80" }] } },
    ]
    const { faults } = JSON.parse(
      run("python3", ["e2e/support/deploy/read-objects.py"], faulty.map((one) => JSON.stringify(one)).join("\n---\n")),
    ) as { faults: string[] }
    expect(faults).toEqual([
      "Deployment a.spec.replica is unknown",
      expect.stringContaining("Deployment a.spec: Invalid value for `selector`"),
      "Service b.spec.ports[0].port is no int",
    ])
  })
})
