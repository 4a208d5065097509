import type { Metadata } from "next"
import { headers } from "next/headers"
import { Reference } from "@/components/docs/reference"

export const metadata: Metadata = { title: "API reference" }

export default async function ReferencePage() {
  const nonce = (await headers()).get("x-nonce") ?? undefined
  return (
    <main id="main" tabIndex={-1} className="outline-none">
      <h1 className="sr-only">API reference</h1>
      <Reference nonce={nonce} />
    </main>
  )
}
