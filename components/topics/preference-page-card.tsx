"use client"

import { useQuery } from "@tanstack/react-query"
import { useRole } from "@/components/access/powers"
import { LoadError } from "@/components/data/load-error"
import { Card, CardHeader } from "@/components/ui/card"
import { Skeleton } from "@/components/ui/skeleton"
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
        description="The page behind every unsubscribe link: people choose public topics there, or unsubscribe from everything."
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
          <PagePlaceholder />
        )}
        {project ? <BrandForm project={project} mayEdit={role === "owner" || role === "admin"} /> : <FormPlaceholder />}
      </div>
    </Card>
  )
}

/** As high as the frame, with the shape of the page in it. */
function PagePlaceholder() {
  return (
    <div
      role="status"
      aria-label="Loading the preview"
      className="grid h-110 w-full justify-items-center border-line bg-sunken pt-10 max-lg:border-b lg:border-r"
    >
      <div className="grid w-full max-w-120 content-start gap-4 px-6">
        <Skeleton className="h-6 w-48" />
        <Skeleton className="w-64" />
        <Skeleton className="mt-2 h-14 w-full" />
        <Skeleton className="h-14 w-full" />
        <Skeleton className="h-9 w-28" />
      </div>
    </div>
  )
}

function FormPlaceholder() {
  return (
    <div role="status" aria-label="Loading the branding" className="grid content-start gap-4 p-4">
      {["w-12", "w-32", "w-10"].map((width) => (
        <div key={width} className="grid gap-2">
          <Skeleton className={width} />
          <Skeleton className="h-8 w-full rounded-md" />
        </div>
      ))}
    </div>
  )
}
