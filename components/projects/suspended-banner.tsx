import Link from "next/link"
import { buttonStyle } from "@/components/ui/button-style"

type SuspendedBannerProps = { projectId: string; reason?: string; mayResume: boolean }

/** Above every page of a suspended project: what that means, and for owners the way out. Without a script of its own. */
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
      {mayResume ? (
        <Link href={`/projects/${projectId}/settings#danger-zone`} className={`${buttonStyle({})} shrink-0`}>
          Open settings
        </Link>
      ) : null}
    </section>
  )
}
