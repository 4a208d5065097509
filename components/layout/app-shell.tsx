import type { ReactNode } from "react"
import { MobileBar, Sidebar, type SidebarProps } from "@/components/layout/sidebar"
import { PageArea, RowKeys, Shortcuts, type ShortcutsProps } from "@/components/layout/shell-parts"

type AppShellProps = SidebarProps &
  Pick<ShortcutsProps, "organizations"> & {
    /** In the bar on a phone; the name of the project. */
    title: ReactNode
    children: ReactNode
  }

export function AppShell({ title, children, projectId, organizations, ...sidebar }: AppShellProps) {
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[232px_minmax(0,1fr)]">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md border border-line-strong bg-panel px-3 py-1.5 font-medium
          focus:translate-y-0"
      >
        Skip to content
      </a>
      <MobileBar title={title}>
        <Sidebar projectId={projectId} {...sidebar} />
      </MobileBar>
      <aside
        className="sticky top-0 hidden h-dvh flex-col border-r border-line bg-sunken px-2.5 py-3 lg:flex"
        aria-label="Project"
      >
        <Sidebar projectId={projectId} {...sidebar} />
      </aside>
      <main
        id="main"
        tabIndex={-1}
        className="min-w-0 px-4 pt-5 pb-16 outline-none has-data-wide:pb-0 sm:px-6 lg:px-10 lg:pt-6"
      >
        <div className="mx-auto max-w-360 has-data-list:max-w-none has-data-wide:max-w-none">
          <PageArea projectId={projectId}>{children}</PageArea>
        </div>
      </main>
      <RowKeys />
      <Shortcuts projectId={projectId} organizations={organizations} groups={sidebar.groups} bottom={sidebar.bottom} />
    </div>
  )
}
