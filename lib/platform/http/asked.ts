/** What an operation reads of a request. A `Request` is one; the web server makes one of Node's own, which costs less. */
export type Asked = Pick<Request, "url" | "method" | "signal"> & {
  body: ReadableStream<Uint8Array> | null
  headers: Pick<Headers, "get">
  /**
   * The whole body, for a mount that has a cheaper way than the stream `body`.
   * @throws requestTooLarge beyond `bytesMax`, requestTimeout after `waitMs`
   */
  readAtMost?(bytesMax: number, waitMs: number): Promise<Uint8Array>
}
