"use client"

import { usePathname, useRouter } from "next/navigation"
import { useTransition } from "react"
import { projectCookie } from "@/components/docs/choices"
import { keepChoice } from "@/components/docs/keep-choice"
import { Select } from "@/components/ui/select"

type ProjectChoiceProps = { projects: readonly { id: string; name: string }[]; projectId: string }

/** The project for which the samples of the docs are written, for somebody who has several. */
export function ProjectChoice({ projects, projectId }: ProjectChoiceProps) {
  const router = useRouter()
  const path = usePathname()
  const [pending, start] = useTransition()

  function choose(id: string) {
    keepChoice(projectCookie, id)
    start(() => {
      router.replace(path, { scroll: false })
      router.refresh()
    })
  }

  return (
    <label className="mt-5 flex max-w-90 items-center gap-3 text-muted">
      <span className="shrink-0">Samples for</span>
      <Select
        value={projectId}
        disabled={pending}
        onChange={(event) => choose(event.target.value)}
        options={projects.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </label>
  )
}
