import { Tokenizer, TokenizerMode, type Token, type TokenHandler } from "parse5"

type Reader = {
  onStart: (tag: Token.TagToken) => void
  onEnd?: (tag: Token.TagToken) => void
  onText?: (text: string) => void
}

/**
 * Reads the tags of a document in their order, comments and the contents of scripts and the like left out. Tokens suffice, and
 * take linear time: building the tree of a hostile document takes seconds.
 */
export function readTags(text: string, reader: Reader, { withPositions = false } = {}): void {
  const { onStart, onEnd = ignore, onText = ignore } = reader
  const characters = (token: Token.CharacterToken) => onText(token.chars)
  const handler: TokenHandler = {
    onStartTag(tag) {
      const state = textStates[tag.tagName]
      if (state !== undefined) tokenizer.state = state
      onStart(tag)
    },
    ...{ onEndTag: onEnd, onComment: ignore, onDoctype: ignore, onEof: ignore },
    ...{ onCharacter: characters, onNullCharacter: ignore, onWhitespaceCharacter: ignore },
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
