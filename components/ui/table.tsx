"use client"

import Link from "next/link"
import {
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from "react"
import { cn } from "@/components/ui/cn"
import { useWanted, useGo } from "@/components/ui/leaving"

/** One column of a table: its head, its cell in each row, and from which width of the window on it is shown. */
export type Column<Row> = {
  head: ReactNode
  /** A column of buttons is named for screen readers alone. */
  headHidden?: boolean
  cell: (row: Row, href: string) => ReactNode
  /** What a narrower window must not miss, another cell says there. */
  from?: keyof typeof shownFrom
  /** Tailwind's w-*; the columns without one share what is left. */
  width?: string
  numeric?: boolean
  muted?: boolean
  truncate?: boolean
  title?: (row: Row) => string | undefined
  /** Of the head and the cells. */
  className?: string
  cellClassName?: string
}

type DataTableProps<Row> = {
  label: string
  columns: Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** The page of a row, which a click or Enter opens. */
  href?: (row: Row) => string
  /** Below this width of the window each row, which has a page, is a block without the head. */
  blocksBelow?: "md"
  minWidth?: string
}

export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  href,
  blocksBelow,
  minWidth = "min-w-0",
}: DataTableProps<Row>) {
  // A table that is shown as blocks loses its meaning for screen readers unless it is said again by roles.
  const role = (name: string) => (blocksBelow ? name : undefined)
  return (
    <Table label={label} minWidth={minWidth} role={role("table")} className={cn(blocksBelow && "max-md:block")}>
      <thead role={role("rowgroup")} className={cn(blocksBelow && "max-md:sr-only")}>
        <tr role={role("row")}>
          <Heads columns={columns} role={role("columnheader")} />
        </tr>
      </thead>
      <tbody role={role("rowgroup")} className={cn(blocksBelow && "max-md:block")}>
        {rows.map((row) => {
          const to = href?.(row)
          const cells = (
            <Cells columns={columns} row={row} href={to} role={role("cell")} className={cn(blocksBelow && blockCell)} />
          )
          if (!to) return <tr key={keyOf(row)}>{cells}</tr>
          return (
            <TableRow key={keyOf(row)} href={to} role={role("row")} className={cn(blocksBelow && blockRow)}>
              {cells}
            </TableRow>
          )
        })}
      </tbody>
    </Table>
  )
}

/** The heads of columns, for a table that lays out its rows itself. */
export function Heads<Row>({ columns, role }: { columns: Column<Row>[]; role?: string }) {
  return columns.map(({ head, headHidden, from, width, numeric, className }, at) => (
    <Th key={at} role={role} numeric={numeric} className={cn(from && shownFrom[from], width, className)}>
      {headHidden ? <span className="sr-only">{head}</span> : head}
    </Th>
  ))
}

type CellsProps<Row> = { columns: Column<Row>[]; row: Row; href?: string; role?: string; className?: string }

/** The cells of one row. */
export function Cells<Row>({ columns, row, href = "", role, className: all }: CellsProps<Row>) {
  return columns.map(({ cell, from, numeric, muted, truncate, title, className, cellClassName }, at) => (
    <Td
      key={at}
      role={role}
      numeric={numeric}
      muted={muted}
      truncate={truncate}
      title={title?.(row)}
      className={cn(from && shownFrom[from], className, cellClassName, all)}
    >
      {cell(row, href)}
    </Td>
  ))
}

/** The width of the window from which a cell is shown. */
export const shownFrom = {
  sm: "hidden sm:table-cell",
  md: "hidden md:table-cell",
  lg: "hidden lg:table-cell",
  xl: "hidden xl:table-cell",
  wide: "hidden min-[1680px]:table-cell",
}

const blockRow =
  "max-md:grid max-md:gap-y-0.5 max-md:border-b max-md:border-line max-md:px-4 max-md:py-3 max-md:last:border-b-0"

const blockCell = "max-md:min-w-0 max-md:border-0 max-md:p-0"

type TableProps = ComponentProps<"table"> & {
  /** Names the table, and the scrolling area around it, to screen readers. */
  label: string
  /** Tailwind's min-w-*: below it the table scrolls sideways inside its own frame. */
  minWidth?: string
}

export function Table({ label, minWidth = "min-w-160", className, ...rest }: TableProps) {
  return (
    <ScrollFrame label={label}>
      <table
        aria-label={label}
        className={cn("w-full table-fixed border-collapse [&_tbody_tr:last-child>td]:border-b-0", minWidth, className)}
        {...rest}
      />
    </ScrollFrame>
  )
}

type ThProps = ComponentProps<"th"> & { numeric?: boolean }

export function Th({ className, numeric, ...rest }: ThProps) {
  return (
    <th
      scope="col"
      className={cn(
        "border-b border-line px-4 py-2 text-left text-xs font-medium text-muted",
        numeric && "text-right",
        className,
      )}
      {...rest}
    />
  )
}

type TdProps = ComponentProps<"td"> & { numeric?: boolean; muted?: boolean; truncate?: boolean }

export function Td({ className, numeric, muted, truncate, ...rest }: TdProps) {
  return (
    <td
      className={cn(
        "border-b border-line px-4 py-2.5 align-top",
        numeric && "text-right tabular-nums",
        muted && "text-muted",
        truncate && "truncate",
        className,
      )}
      {...rest}
    />
  )
}

/** Scrolls sideways where its content is too wide, and only then is a stop of the Tab key. */
function ScrollFrame({ label, children }: { label: string; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const measure = () => setScrolls(element.scrollWidth > element.clientWidth + 1)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return (
    <div
      ref={frame}
      role={scrolls ? "region" : undefined}
      aria-label={scrolls ? `${label}, scrolls sideways` : undefined}
      tabIndex={scrolls ? 0 : undefined}
      className="relative overflow-x-auto -outline-offset-2"
    >
      {children}
    </div>
  )
}

type TableRowProps = Omit<ComponentProps<"tr">, "onClick" | "onKeyDown"> & {
  /** Opened by click or Enter; by Ctrl, ⌘ or the middle button in a new tab. */
  href?: string
  /** Instead of href, where the row opens something on the same page. */
  onOpen?: () => void
  selected?: boolean
}

/** Give the first cell a RowLink to the same href, so that screen readers meet a link. */
export function TableRow({ href, onOpen, selected, className, ...rest }: TableRowProps) {
  const go = useGo()
  const going = useWanted((wanted) => wanted !== null && wanted === href)
  const opens = Boolean(href ?? onOpen)

  function open(newTab: boolean) {
    if (!href) return onOpen?.()
    if (newTab) window.open(href, "_blank", "noopener")
    else go(href)
  }
  function onClick(event: MouseEvent<HTMLTableRowElement>) {
    if (event.button > 1 || isControl(event.target, event.currentTarget) || hasSelection()) return
    open(event.button === 1 || event.metaKey || event.ctrlKey)
  }
  function onKeyDown(event: KeyboardEvent<HTMLTableRowElement>) {
    if (event.key !== "Enter" || event.target !== event.currentTarget) return
    event.preventDefault()
    open(event.metaKey || event.ctrlKey)
  }

  return (
    <tr
      data-row={opens || undefined}
      tabIndex={opens ? 0 : undefined}
      aria-selected={selected}
      onClick={opens ? onClick : undefined}
      onAuxClick={opens ? onClick : undefined}
      onKeyDown={opens ? onKeyDown : undefined}
      className={cn(
        "-outline-offset-2",
        opens && "cursor-pointer hover:bg-sunken focus-visible:bg-sunken",
        selected && "bg-accent-soft hover:bg-accent-soft focus-visible:bg-accent-soft",
        going && "bg-wait-soft",
        className,
      )}
      {...rest}
    />
  )
}

/** The link in a row's first cell. The row itself is the stop of the Tab key, so this is none. */
export function RowLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return <Link tabIndex={-1} className={cn("font-medium hover:underline", className)} {...rest} />
}

function isControl(target: EventTarget, row: HTMLElement): boolean {
  if (!(target instanceof Element)) return false
  const control = target.closest("a, button, input, select, textarea, label, dialog, [role=menu]")
  return control !== null && row.contains(control)
}

function hasSelection(): boolean {
  return (window.getSelection()?.toString() ?? "") !== ""
}
