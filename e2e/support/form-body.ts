const pieceBytes = 16_384

/**
 * A form as the body of a Request, in pieces, and its content type. Node 24 encodes a form while it is read, and throws after
 * the test if the reader gives up before the end.
 */
export function formBody(form: FormData): { body: ReadableStream; contentType: string } {
  const encoded = new Response(form)
  let bytes: Uint8Array | undefined
  let at = 0
  const body = new ReadableStream({
    async pull(controller) {
      bytes ??= new Uint8Array(await encoded.arrayBuffer())
      controller.enqueue(bytes.slice(at, (at += pieceBytes)))
      if (at >= bytes.length) controller.close()
    },
  })
  return { body, contentType: encoded.headers.get("content-type") ?? "" }
}
