import { expect, test } from "@playwright/test"

const baseUrl = () => process.env.E2E_BASE_URL ?? ""

const paths = [
  "/nothing-here",
  "/projects/nothing",
  "/_next/nothing",
  "/_next/static/nothing.js",
  "/_next/image",
  "/files/nothing",
  "/u/nothing",
  "/api/nothing",
  "/api/auth/nothing",
  "/health/nothing",
  "/health/live",
  "/icon.svg",
  "/robots.txt",
  "/%E0%A4%A",
  "/sign-in",
]

test("every answer outside the API has each security header (framing, sniffing, referrer) exactly once", async () => {
  for (const path of paths) {
    const { headers, status } = await fetch(`${baseUrl()}${path}`, { redirect: "manual" })
    const said = Object.fromEntries(
      ["x-content-type-options", "referrer-policy"].map((name) => [name, headers.get(name)]),
    )
    expect([path, status, said]).toEqual([
      path,
      status,
      { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" },
    ])
    // Twice given, the browser would take both: the answer of a route keeps its own alone.
    expect([path, headers.get("content-security-policy")]).toEqual([
      path,
      expect.stringMatching(/^(?!.*default-src.*default-src).*(frame-ancestors 'none'|sandbox)/),
    ])
    expect([path, status < 500]).toEqual([path, true])
  }
})
