import { Download } from "lucide-react"
import { buttonStyle } from "@/components/ui/button-style"

/** Downloads a list as a file; at the head of its page, beside what adds to it. */
export function ExportLink({ href }: { href: string }) {
  return (
    <a href={href} download className={buttonStyle({})}>
      <Download />
      Export CSV
    </a>
  )
}
