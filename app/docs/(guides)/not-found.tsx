import { ButtonLink } from "@/components/ui/button"

export default function GuideNotFound() {
  return (
    <>
      <h1 className="text-2xl font-semibold">Guide not found</h1>
      <p className="mt-2 mb-5 text-muted">There is no guide at this address. It may have another name now.</p>
      <ButtonLink href="/docs">All guides</ButtonLink>
    </>
  )
}
