import type { Metadata } from "next"
import { Prefetch } from "@/components/api/prefetch"
import { ImportDetail } from "@/components/contacts/imports/import-detail"
import { importQuery } from "@/components/contacts/imports/queries"

export const metadata: Metadata = { title: "Import" }

export default async function ImportPage({ params }: { params: Promise<{ projectId: string; importId: string }> }) {
  const { projectId, importId } = await params
  return (
    <Prefetch queries={[importQuery(projectId, importId)]}>
      <ImportDetail projectId={projectId} importId={importId} />
    </Prefetch>
  )
}
