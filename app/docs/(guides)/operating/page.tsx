import type { Metadata } from "next"
import { OperatingView } from "@/app/docs/operating-view"
import { operatingGuides } from "@/lib/docs/guides"

export function generateMetadata(): Metadata {
  return { title: operatingGuides().get("operating")?.title }
}

export default function OperatingPage() {
  return <OperatingView page="operating" />
}
