"use client"

import { Button } from "@/components/ui/button"
import { CopyButton } from "@/components/ui/copy-button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"

/** Recovery codes, which are shown this once. */
export default function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join("\n")
  return (
    <>
      <ul aria-label="Recovery codes" className="mono grid grid-cols-2 gap-x-6 gap-y-1 rounded-md bg-sunken p-3">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className="mt-3 text-muted">
        Keep them where you would find them without your phone: a password manager, or on paper.
      </p>
      <DialogFooter>
        <DialogClose>
          <Button>I have stored them</Button>
        </DialogClose>
        <CopyButton value={text} variant="primary">
          Copy all
        </CopyButton>
        <Button onClick={() => download(text)}>Download</Button>
      </DialogFooter>
    </>
  )
}

function download(text: string) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/plain" }))
  link.download = "mailroom-recovery-codes.txt"
  link.click()
  URL.revokeObjectURL(link.href)
}
