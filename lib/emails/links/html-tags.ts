import { Tokenizer, TokenizerMode, type Token, type TokenHandler } from "parse5"

type Reader = {
  onStart: (tag: Token.TagToken) => void
  onEnd?: (tag: Token.TagToken) => void
  onText?: (text: string) => void
  /** With positions: up to here the document is read, and markup that is added here is read as markup. */
  onSafe?: (end: number) => void
}

/**
 * Reads the tags of a document in their order, comments and the contents of scripts and the like left out. Tokens suffice, and
 * take linear time: building the tree of a hostile document takes seconds.
 */
export function readTags(text: string, reader: Reader, { withPositions = false } = {}): void {
  const { onStart, onEnd = ignore, onText = ignore, onSafe = ignore } = reader
  /** An element whose content is text has begun and not ended. */
  let isOpen = false
  const passed = ({ location }: Token.Token) => {
    if (!isOpen && location) onSafe(location.endOffset)
  }
  const handler: TokenHandler = {
    onStartTag(tag) {
      const state = textStates[tag.tagName]
      if (state !== undefined) tokenizer.state = state
      isOpen = state !== undefined
      passed(tag)
      onStart(tag)
    },
    onEndTag(tag) {
      isOpen = false
      passed(tag)
      onEnd(tag)
    },
    onComment(comment) {
      const { startOffset = 0, endOffset = 0 } = comment.location ?? {}
      const written = text.slice(startOffset, endOffset)
      if (written.startsWith("<!--") ? /^<!--(-?>|[^]*--!?>$)/.test(written) : written.endsWith(">")) passed(comment)
    },
    onCharacter(token) {
      passed(token)
      onText(token.chars)
    },
    ...{ onDoctype: passed, onNullCharacter: passed, onWhitespaceCharacter: passed, onEof: ignore },
  }
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: withPositions }, handler)
  tokenizer.write(text, true)
}

/** Elements whose content is text up to their end tag, which the builder of a tree would tell the tokenizer. */
const textStates: Record<string, Tokenizer["state"]> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  plaintext: TokenizerMode.PLAINTEXT,
}

function ignore() {}

/**
 * URLs of a document's hyperlinks (`a`, `area`), as they are written but for space around them; each once, in the order of the
 * document.
 */
export function hyperlinks(text: string): string[] {
  const found = new Set<string>()
  readTags(text, {
    onStart(tag) {
      if (tag.tagName !== "a" && tag.tagName !== "area") return
      const href = tag.attrs.find(({ name }) => name === "href")
      if (href) found.add(href.value.trim())
    },
  })
  return [...found]
}
