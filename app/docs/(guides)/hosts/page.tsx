import type { Metadata } from "next"
import { OperatingView } from "@/app/docs/operating-view"
import { operatingGuides } from "@/lib/docs/guides"

export function generateMetadata(): Metadata {
  return { title: operatingGuides().get("hosts")?.title }
}

export default function HostsPage() {
  return <OperatingView page="hosts" />
}
