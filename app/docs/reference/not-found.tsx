import { ButtonLink } from "@/components/ui/button"

export default function ReferenceNotFound() {
  return (
    <>
      <h1 className="text-2xl font-semibold">Page not found</h1>
      <p className="mt-2 mb-5 text-muted">The reference has no page at this address.</p>
      <ButtonLink href="/docs/reference">All operations</ButtonLink>
    </>
  )
}
