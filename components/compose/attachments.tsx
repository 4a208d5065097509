"use client"

import { Paperclip, X } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { sizeWords } from "@/components/emails/message-source"
import { Button, IconButton } from "@/components/ui/button"
import { Checkbox } from "@/components/ui/checkbox"
import { Input } from "@/components/ui/input"
import { attachmentBytesMax } from "@/lib/emails/message-rules"
import { controlId, type KeptDraft } from "@/components/compose/drafts"
import type { AttachedFile } from "@/components/compose/fields"

/** Files that go with the email; inline ones are shown in the HTML by their content id. */
export function Attachments({ draft: { fields, change, errorOf } }: { draft: KeptDraft }) {
  const picker = useRef<HTMLInputElement>(null)
  // More may be attached or removed while large files are read.
  const latest = useRef(fields.attachments)
  useEffect(() => {
    latest.current = fields.attachments
  }, [fields.attachments])
  const [refused, setRefused] = useState("")
  const { attachments } = fields
  const error = [errorOf("attachments"), refused].filter(Boolean).join(" ")

  async function add(files: File[]) {
    const held = attachments.reduce((sum, { bytes }) => sum + bytes, 0)
    const wanted = files.reduce((sum, { size }) => sum + size, held)
    // Read only what can be sent: a film would fill the memory of the page for nothing.
    if (wanted > attachmentBytesMax)
      return setRefused(`${sizeWords(wanted)} is too much. Attachments can have 10 MiB in total.`)
    setRefused("")
    try {
      const read = await Promise.all(files.map(readFile))
      change({ attachments: [...latest.current, ...read] })
    } catch {
      setRefused("A file could not be read, so none was attached. Choose them again.")
    }
  }
  function update(index: number, part: Partial<AttachedFile>) {
    change({ attachments: attachments.map((file, at) => (at === index ? { ...file, ...part } : file)) })
  }
  function remove(index: number) {
    change({ attachments: attachments.filter((_, at) => at !== index) })
    setRefused("")
    document.getElementById(controlId("attachments"))?.focus()
  }

  return (
    <section aria-label="Attachments">
      {attachments.length > 0 ? (
        <ul className="mb-3 grid gap-2">
          {attachments.map((file, index) => (
            <li
              key={`${index} ${file.filename}`}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line px-3 py-2"
            >
              <span className="min-w-0 flex-1 basis-40 [overflow-wrap:anywhere]">
                {file.filename} <span className="text-muted">{sizeWords(file.bytes)}</span>
              </span>
              <Checkbox
                label="Inline"
                checked={file.inline}
                onChange={({ target }) => update(index, { inline: target.checked })}
              />
              {file.inline ? (
                <Input
                  aria-label={`Content id of ${file.filename}`}
                  placeholder="logo"
                  value={file.contentId}
                  onChange={({ target }) => update(index, { contentId: target.value })}
                  className="w-32"
                />
              ) : null}
              <IconButton label={`Remove ${file.filename}`} icon={<X />} onClick={() => remove(index)} />
            </li>
          ))}
        </ul>
      ) : null}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={({ target }) => {
          void add([...(target.files ?? [])])
          target.value = ""
        }}
      />
      <Button
        id={controlId("attachments")}
        icon={<Paperclip />}
        aria-describedby={error ? "compose-attachments-error" : undefined}
        onClick={() => picker.current?.click()}
      >
        Attach files
      </Button>
      {error ? (
        <p id="compose-attachments-error" role="alert" className="mt-1.5 text-sm text-bad">
          {error}
        </p>
      ) : null}
    </section>
  )
}

async function readFile(file: File): Promise<AttachedFile> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error("The file could not be read."))
    reader.readAsDataURL(file)
  })
  return {
    filename: file.name,
    contentType: file.type || "application/octet-stream",
    content: address.slice(address.indexOf(",") + 1),
    bytes: file.size,
    contentId: "",
    inline: false,
  }
}
