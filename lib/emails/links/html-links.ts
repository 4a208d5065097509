import { Tokenizer, TokenizerMode, type Token, type TokenHandler } from "parse5"

/**
 * URLs of a document's hyperlinks (`a`, `area`), as they are written but for space around them; each once, in the order of the
 * document. Tokens suffice, and take linear time: building the tree of a hostile document takes seconds.
 */
export function hyperlinks(text: string): string[] {
  const found = new Set<string>()
  const tokenizer = new Tokenizer(
    {},
    handlerOf((tag) => {
      const state = textStates[tag.tagName]
      if (state !== undefined) tokenizer.state = state
      if (tag.tagName !== "a" && tag.tagName !== "area") return
      const href = tag.attrs.find(({ name }) => name === "href")
      if (href) found.add(href.value.trim())
    }),
  )
  tokenizer.write(text, true)
  return [...found]
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
}

function handlerOf(onStartTag: (tag: Token.TagToken) => void): TokenHandler {
  const ignore = () => undefined
  return {
    ...{ onStartTag, onEndTag: ignore, onComment: ignore, onDoctype: ignore, onEof: ignore },
    ...{ onCharacter: ignore, onNullCharacter: ignore, onWhitespaceCharacter: ignore },
  }
}
