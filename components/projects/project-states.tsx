"use client"

import dynamic from "next/dynamic"

// The shell of every page names them, and few projects are in these states: their code comes with them.

export const SuspendedBanner = dynamic(() =>
  import("@/components/projects/suspended-banner").then((loaded) => loaded.SuspendedBanner),
)

export const DeletedProject = dynamic(() =>
  import("@/components/projects/deleted-project").then((loaded) => loaded.DeletedProject),
)
