"use client"

import { useRouter } from "next/navigation"
import { useCall } from "@/components/api/use-call"
import { Button } from "@/components/ui/button"
import { toast } from "@/components/ui/toast"

type SuspendedBannerProps = { projectId: string; reason?: string; mayResume: boolean }

/** Above every page of a suspended project: what that means, and for owners the way out. */
export function SuspendedBanner({ projectId, reason, mayResume }: SuspendedBannerProps) {
  return (
    <section
      aria-label="Project suspended"
      className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-lg border border-l-3 border-line
        border-l-bad bg-panel px-4 py-3 sm:flex-nowrap"
    >
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-semibold">This project is suspended</p>
        {reason ? <p className="text-muted">Reason: {reason}</p> : null}
        <p className="text-muted">
          Sends are refused, and queued and scheduled email waits. Tracked links in delivered email do not work.
          {mayResume ? null : " An owner can resume it."}
        </p>
      </div>
      {mayResume ? <ResumeButton projectId={projectId} /> : null}
    </section>
  )
}

export function ResumeButton({ projectId }: { projectId: string }) {
  const router = useRouter()
  const resume = useCall("POST /v1/projects/{projectId}/resume", ["GET /v1/projects/{projectId}", "GET /v1/session"])

  async function act() {
    try {
      await resume.mutateAsync({ params: { projectId } })
      router.refresh()
      toast.success("The project is active again", { description: "Email that waited is being sent." })
    } catch (error) {
      toast.error("The project was not resumed", { description: error instanceof Error ? error.message : undefined })
    }
  }

  return (
    <Button loading={resume.isPending} onClick={() => void act()}>
      Resume project
    </Button>
  )
}
