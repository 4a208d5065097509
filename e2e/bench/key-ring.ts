const windowMs = 61_000

/**
 * Hands out keys so that no bucket closes: each for `uses` requests, and again once its window is over. A connection
 * holds a key of its own, so that requests side by side spend from different buckets: the dearer case.
 */
export class KeyRing {
  private readonly idle: { key: string; freeAt: number }[]

  constructor(
    keys: readonly string[],
    private readonly uses: number,
    private readonly now = () => performance.now(),
  ) {
    this.idle = keys.map((key) => ({ key, freeAt: 0 }))
  }

  /** Keys for one connection: each call returns the key for one request. */
  connection(): () => string {
    let held = { key: "", freeAt: 0 }
    let left = 0
    return () => {
      if (left === 0 || this.now() > held.freeAt) {
        held = this.take()
        left = this.uses
      }
      left -= 1
      return held.key
    }
  }

  private take() {
    const [next] = this.idle
    if (!next || next.freeAt > this.now()) throw new Error("The bench has used up its keys: it must mint more of them.")
    this.idle.shift()
    const taken = { key: next.key, freeAt: this.now() + windowMs }
    this.idle.push(taken)
    return taken
  }
}
