import type { Metadata } from "next"
import { Prefetch, titleOf } from "@/components/data/prefetch"
import { ImportDetail } from "@/components/contacts/imports/import-detail"
import { importQuery } from "@/components/contacts/imports/queries"

type Props = { params: Promise<{ projectId: string; importId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, importId } = await params
  return titleOf(importQuery(projectId, importId), ({ fileName }) => fileName, "Import")
}

export default async function ImportPage({ params }: Props) {
  const { projectId, importId } = await params
  return (
    <Prefetch queries={[importQuery(projectId, importId)]}>
      <ImportDetail projectId={projectId} importId={importId} />
    </Prefetch>
  )
}
