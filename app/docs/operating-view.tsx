import { notFound } from "next/navigation"
import { GuideView } from "@/components/docs/guide-view"
import { operatingGuides, operatingPages, type OperatingPage } from "@/lib/docs/guides"

/** A page for who runs the installation, and the way to the next one. */
export function OperatingView({ page }: { page: OperatingPage }) {
  const guide = operatingGuides().get(page)
  if (!guide) notFound()
  const next = operatingPages[operatingPages.indexOf(page) + 1]
  return (
    <GuideView
      guide={guide}
      next={next && { href: `/docs/${next}`, title: operatingGuides().get(next)?.title ?? next }}
    />
  )
}
