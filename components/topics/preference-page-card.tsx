"use client"

import { useQuery } from "@tanstack/react-query"
import { useRole } from "@/components/access/powers"
import { LoadError } from "@/components/emails/load-error"
import { Card, CardHeader } from "@/components/ui/card"
import { SkeletonRows } from "@/components/ui/skeleton"
import { BrandForm } from "@/components/topics/brand-form"
import { previewQuery, projectQuery } from "@/components/topics/queries"

/** The page behind every unsubscribe link, as recipients see it, and its branding. */
export function PreferencePageCard({ projectId }: { projectId: string }) {
  const preview = useQuery(previewQuery(projectId))
  const project = useQuery(projectQuery(projectId)).data
  const role = useRole()
  return (
    <Card aria-label="Preference page">
      <CardHeader
        title="Preference page"
        description="Where the unsubscribe link of a mail leads to: public topics to choose from, and a way out of all."
      />
      <div className="grid lg:grid-cols-[minmax(0,1fr)_minmax(280px,360px)]">
        {preview.data ? (
          <iframe
            title="Preference page as recipients see it"
            sandbox=""
            srcDoc={preview.data.html}
            className="h-110 w-full border-line bg-sunken max-lg:border-b lg:border-r"
          />
        ) : preview.error ? (
          <LoadError error={preview.error} onRetry={() => void preview.refetch()} retrying={preview.isFetching} />
        ) : (
          <SkeletonRows rows={6} label="Loading the preview" />
        )}
        {project ? <BrandForm project={project} mayEdit={role === "owner" || role === "admin"} /> : null}
      </div>
    </Card>
  )
}
