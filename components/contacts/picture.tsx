"use client"

import { ImageUp } from "lucide-react"
import { lazy, Suspense, useRef, useState, type DragEvent } from "react"
import { useQueryClient } from "@tanstack/react-query"
import { problemOf } from "@/components/data/call"
import { refetch, useCall } from "@/components/data/use-call"
import { upload } from "@/components/data/upload"
import type { PixelSize } from "@/components/contacts/picture-crop"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { Dialog } from "@/components/ui/dialog"
import { ProgressBar } from "@/components/ui/loading"
import { toast } from "@/components/ui/toast"
import { fullName } from "@/components/contacts/words"
import type { Contact } from "@/components/contacts/queries"
import { parseUrl } from "@/lib/platform/url-rules"

const bytesMax = 5 * 2 ** 20
const types = "image/jpeg,image/png,image/webp,image/gif"
const one = "GET /v1/projects/{projectId}/contacts/{contactId}"
const list = "GET /v1/projects/{projectId}/contacts"

const PictureCrop = lazy(() =>
  import("@/components/contacts/picture-crop").then((module) => ({ default: module.PictureCrop })),
)

/** A picture as it was chosen, which is kept while the page is open. */
type Whole = { file: Blob; size: PixelSize }

type Sending = { preview: string; share: number }

/** The picture of a contact: dropped or chosen, shown while it travels, replaced, removed. */
export function PictureCard({
  projectId,
  contact,
  mayWrite,
}: {
  projectId: string
  contact: Contact
  mayWrite: boolean
}) {
  const params = { projectId, contactId: contact.id }
  const client = useQueryClient()
  const remove = useCall("DELETE /v1/projects/{projectId}/contacts/{contactId}/image", [one, list])
  const [sending, setSending] = useState<Sending>()
  const [fault, setFault] = useState<string>()
  const [over, setOver] = useState(false)
  const [whole, setWhole] = useState<Whole>()
  const [isCutting, setCutting] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  const stop = useRef<AbortController>(undefined)

  /** `from` is the picture that the file was cut out of. */
  async function send(file: File | undefined, from?: Whole) {
    if (!file || sending) return
    setFault(file.size > bytesMax ? "The picture is larger than 5 MiB. Choose a smaller one." : undefined)
    if (file.size > bytesMax) return
    const preview = URL.createObjectURL(file)
    const body = new FormData()
    body.append("file", file)
    stop.current = new AbortController()
    setSending({ preview, share: 0 })
    try {
      const onProgress = (share: number) => setSending({ preview, share })
      await upload(
        "POST /v1/projects/{projectId}/contacts/{contactId}/image",
        { params },
        { body, onProgress, signal: stop.current.signal },
      )
      await refetch(client, [one, list])
      setWhole(from ?? (await wholeOf(file)))
      toast.success("The picture was saved.")
    } catch (error) {
      if (!(error instanceof DOMException)) setFault(problemOf(error).errors?.[0]?.detail ?? problemOf(error).detail)
    } finally {
      URL.revokeObjectURL(preview)
      setSending(undefined)
    }
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    void send(event.dataTransfer.files[0])
  }

  const own = ownPicture(contact.profileImageUrl)
  const shown = sending?.preview ?? own
  return (
    <Card aria-label="Picture">
      <CardHeader title="Picture" />
      <div
        className={cn("flex items-center gap-4 rounded-b-lg p-4", over && "bg-sunken")}
        {...(mayWrite
          ? {
              onDragOver: (event: DragEvent) => (event.preventDefault(), setOver(true)),
              onDragLeave: () => setOver(false),
              onDrop: drop,
            }
          : {})}
      >
        {shown ? (
          // Next's image would want to fetch and shrink what is small and ours already.
          // eslint-disable-next-line @next/next/no-img-element
          <img
            src={shown}
            alt=""
            width={64}
            height={64}
            className={cn("size-16 shrink-0 rounded-full border border-line object-cover", sending && "opacity-60")}
          />
        ) : (
          <span
            aria-hidden="true"
            className="grid size-16 shrink-0 place-items-center rounded-full border border-line bg-sunken text-lg font-medium text-muted"
          >
            {initialsOf(contact)}
          </span>
        )}
        <div className="min-w-0 flex-1">
          {contact.profileImageUrl && !own ? (
            <p className="mb-2 truncate text-sm text-muted">
              Elsewhere:{" "}
              <a
                className="text-accent underline"
                href={contact.profileImageUrl}
                rel="noreferrer noopener"
                target="_blank"
              >
                {contact.profileImageUrl}
              </a>
            </p>
          ) : null}
          {sending ? (
            <>
              <ProgressBar label="Upload" value={sending.share} max={1} />
              <p className="mt-1 flex items-center justify-between text-sm text-muted">
                {sending.share < 1 ? "Uploading …" : "Processing …"}
                <Button size="small" variant="ghost" onClick={() => stop.current?.abort()}>
                  Stop
                </Button>
              </p>
            </>
          ) : mayWrite ? (
            <>
              <div className="flex flex-wrap gap-2">
                <Button size="small" icon={<ImageUp />} onClick={() => chooser.current?.click()}>
                  {contact.profileImageUrl ? "Replace" : "Upload"}
                </Button>
                {own && whole ? (
                  <Button size="small" onClick={() => setCutting(true)}>
                    Choose the part shown
                  </Button>
                ) : null}
                {contact.profileImageUrl ? (
                  <Button
                    size="small"
                    variant="ghost"
                    loading={remove.isPending}
                    onClick={() => remove.mutate({ params }, { onError: (error) => setFault(problemOf(error).detail) })}
                  >
                    Remove
                  </Button>
                ) : null}
              </div>
              <p className="mt-1.5 text-sm text-muted">
                Or drop it here: JPEG, PNG, WebP or GIF, 5 MiB. An animation is kept.
              </p>
              <input
                ref={chooser}
                type="file"
                accept={types}
                aria-label="Picture"
                className="sr-only"
                tabIndex={-1}
                onChange={({ target }) => {
                  void send(target.files?.[0])
                  target.value = ""
                }}
              />
            </>
          ) : null}
          {fault ? (
            <p role="alert" className="mt-1.5 text-sm text-bad">
              {fault}
            </p>
          ) : null}
        </div>
      </div>
      {whole ? (
        <Dialog open={isCutting} onOpenChange={setCutting} title="Choose the part shown">
          <Suspense>
            <PictureCrop
              {...whole}
              onCut={async (cut) => {
                setCutting(false)
                await send(cut, whole)
              }}
            />
          </Suspense>
        </Dialog>
      ) : null}
    </Card>
  )
}

async function wholeOf(file: Blob): Promise<Whole | undefined> {
  const { sizeToCut } = await import("@/components/contacts/picture-crop")
  const size = await sizeToCut(file)
  return size ? { file, size } : undefined
}

/** Only what was uploaded here is loaded: another server would learn who views which contact. */
export function ownPicture(url: string | undefined): string | undefined {
  const path = parseUrl(url ?? "")?.pathname ?? ""
  return path.startsWith("/files/images/") ? path : undefined
}

function initialsOf(contact: Contact): string {
  const words = (fullName(contact) ?? contact.email.split("@")[0] ?? "").split(/[\s._-]+/).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? "")
    .join("")
}
