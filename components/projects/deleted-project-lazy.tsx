"use client"

import { dynamic } from "@/components/late-parts/dynamic"

/** The shell of every page names it, and few projects are deleted: its code comes when it is shown. */
export const LazyDeletedProject = dynamic(() =>
  import("@/components/projects/deleted-project").then((loaded) => loaded.DeletedProject),
)
